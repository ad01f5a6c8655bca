//! Tests of the trainer.
