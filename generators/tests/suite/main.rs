//! What the generators write, read by others or decided another way.

mod c;
mod cfi_text;
mod corpus;
mod eh_frame;
mod files;
mod mutate;
mod refusals;
mod worked_examples;
