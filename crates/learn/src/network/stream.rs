//! An endless stream of positions: epoch after epoch, shuffled in blocks.
//!
//! Only one block is in memory. The order within it follows from seed, epoch and block alone, so
//! that three numbers say where a stream stands.

use super::config::NetworkConfig;
use super::data::{DataError, DataPart, Sample, Samples, mix, open};

/// Where a stream stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct StreamPosition {
    /// Epochs before this one.
    pub epoch: u64,
    /// Blocks of the epoch before this one.
    pub block: u64,
    /// Positions of the block that are used.
    pub offset: u64,
}

/// The positions to learn from.
pub struct Stream {
    config: NetworkConfig,
    cursor: StreamPosition,
    /// What is left of the epoch after this block; `None` if nothing is.
    reader: Option<Reader>,
    /// The block, in the order of the files.
    block: Vec<Sample>,
    /// The order in which it is used.
    order: Vec<u32>,
}

/// All files, one after the other.
struct Reader {
    next_file: usize,
    samples: Option<Samples>,
}

impl Stream {
    /// Goes on where another stream stood.
    ///
    /// # Errors
    /// If a file cannot be read, or there is nothing to learn from.
    pub fn at(config: &NetworkConfig, cursor: StreamPosition) -> Result<Stream, DataError> {
        let mut stream = Stream {
            config: config.clone(),
            cursor: StreamPosition { epoch: cursor.epoch, ..StreamPosition::default() },
            reader: None,
            block: Vec::new(),
            order: Vec::new(),
        };
        stream.begin_epoch()?;
        for _ in 0..cursor.block {
            stream.next_block()?;
        }
        stream.cursor = cursor;
        Ok(stream)
    }

    /// Where it stands.
    pub const fn cursor(&self) -> StreamPosition {
        self.cursor
    }

    /// Takes the next positions.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn take(&mut self, count: usize, batch: &mut Vec<Sample>) -> Result<(), DataError> {
        batch.clear();
        while batch.len() < count {
            let left = &self.order[self.cursor.offset as usize..];
            let now = left.len().min(count - batch.len());
            let StreamPosition { epoch, .. } = self.cursor;
            let mirror = self.config.data.mirror;
            batch.extend(left[..now].iter().map(|&index| Sample {
                mirrored: mirror && (epoch + u64::from(index)) % 2 == 1,
                ..self.block[index as usize]
            }));
            self.cursor.offset += now as u64;
            if self.cursor.offset as usize == self.order.len() {
                self.next_block()?;
            }
        }
        Ok(())
    }

    fn next_block(&mut self) -> Result<(), DataError> {
        if self.reader.is_some() {
            self.cursor.block += 1;
            self.cursor.offset = 0;
            if self.fill()? {
                return Ok(());
            }
        }
        let whole = self.cursor.block == 0;
        self.cursor = StreamPosition { epoch: self.cursor.epoch + 1, ..StreamPosition::default() };
        match whole {
            // All positions are in memory already.
            true => {
                self.shuffle();
                Ok(())
            }
            false => self.begin_epoch(),
        }
    }

    fn begin_epoch(&mut self) -> Result<(), DataError> {
        self.reader = Some(Reader { next_file: 0, samples: None });
        if self.fill()? { Ok(()) } else { Err(DataError::Empty) }
    }

    /// Reads the next block. `false` if there is none.
    fn fill(&mut self) -> Result<bool, DataError> {
        self.block.clear();
        while self.block.len() < self.config.data.shuffle {
            let Some(reader) = &mut self.reader else { break };
            match reader.next(&self.config)? {
                Some(sample) => self.block.push(sample),
                None => self.reader = None,
            }
        }
        self.shuffle();
        Ok(!self.block.is_empty())
    }

    fn shuffle(&mut self) {
        let StreamPosition { epoch, block, .. } = self.cursor;
        let seed = mix(mix(mix(self.config.seed) ^ epoch) ^ block);
        self.order.clear();
        self.order.extend(0..self.block.len() as u32);
        fastrand::Rng::with_seed(seed).shuffle(&mut self.order);
    }
}

impl Reader {
    fn next(&mut self, config: &NetworkConfig) -> Result<Option<Sample>, DataError> {
        loop {
            if let Some(sample) = self.samples.as_mut().and_then(|samples| samples.next()) {
                return sample.map(Some);
            }
            let Some(path) = config.data.files.get(self.next_file) else { return Ok(None) };
            self.samples = Some(open(path, &config.data, &config.validation, DataPart::Training)?);
            self.next_file += 1;
        }
    }
}
