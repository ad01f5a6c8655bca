//! The frames of a zstd stream, one after another.

use std::io::{self, BufRead, Read};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use super::{PackedError, UnpackLimits};

/// Decodes all frames and skips what the format lets one skip. Frames with a checksum are checked.
pub(super) struct Frames<R> {
    input: R,
    decoder: FrameDecoder,
    limits: UnpackLimits,
    unpacked: u64,
    inside: bool,
}

impl<R: BufRead> Frames<R> {
    pub(super) fn new(input: R, limits: UnpackLimits) -> Frames<R> {
        let mut decoder = FrameDecoder::new();
        // A frame that says its size may use the size as its window: no larger one is needed.
        decoder.set_max_window_size(limits.window);
        Frames { input, decoder, limits, unpacked: 0, inside: false }
    }

    /// Begins the next frame; `false` at the end of the input.
    fn begin(&mut self) -> Result<bool, PackedError> {
        loop {
            if self.input.fill_buf()?.is_empty() {
                return Ok(false);
            }
            match self.decoder.reset(&mut self.input) {
                Ok(()) => break,
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => self.skip(u64::from(length))?,
                Err(error) => return Err(self.explain(error)),
            }
        }
        // Frames that state their size are refused before a block is decoded.
        let stated = self.decoder.content_size();
        if self.unpacked.saturating_add(stated) > self.limits.size {
            return Err(PackedError::TooLarge { limit: self.limits.size });
        }
        self.inside = true;
        Ok(true)
    }

    fn skip(&mut self, length: u64) -> Result<(), PackedError> {
        match io::copy(&mut self.input.by_ref().take(length), &mut io::sink())? {
            skipped if skipped == length => Ok(()),
            _ => Err(PackedError::Damaged("it ends inside a frame".to_string())),
        }
    }

    /// Ends a frame whose content has been read.
    fn end(&mut self) -> Result<(), PackedError> {
        self.inside = false;
        let stated = self.decoder.get_checksum_from_data();
        if stated.is_some() && stated != self.decoder.get_calculated_checksum() {
            return Err(PackedError::Damaged("the checksum is wrong".to_string()));
        }
        Ok(())
    }

    fn explain(&self, error: FrameDecoderError) -> PackedError {
        match error {
            FrameDecoderError::WindowSizeTooBig { requested, max } => {
                PackedError::WindowTooLarge { window: requested, limit: max }
            }
            other => PackedError::Damaged(other.to_string()),
        }
    }

    fn read_some(&mut self, buffer: &mut [u8]) -> Result<usize, PackedError> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            if !self.inside && !self.begin()? {
                return Ok(0);
            }
            while self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                let one = BlockDecodingStrategy::UptoBlocks(1);
                let decoded = self.decoder.decode_blocks(&mut self.input, one);
                decoded.map_err(|error| self.explain(error))?;
            }
            let count = self.decoder.read(buffer)?;
            if count > 0 {
                self.unpacked += count as u64;
                return Ok(count);
            }
            self.end()?;
        }
    }
}

impl<R: BufRead> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.read_some(buffer).map_err(io::Error::from)
    }
}
