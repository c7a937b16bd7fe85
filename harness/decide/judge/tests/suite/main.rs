//! Tests of the `judge` crate through its public interface, from plain values.

mod blame;
mod cause;
mod compare;
mod coverage;
mod discrepancy;
mod eh_frame_hdr;
mod fold;
mod instructions;
mod link;
mod link_expected;
mod link_sample;
mod memo;
mod outside;
mod report;
mod saves;
mod section;
mod stages;
mod structure;
mod support;
mod verdict;
