//! Tests of the `reports` crate through its public interface, from plain values. Expectations come from the design's tables.

mod blame;
mod bundle;
mod clauses;
mod compare;
mod coverage;
mod discrepancy;
mod fold;
mod json;
mod link;
mod link_expected;
mod link_sample;
mod page;
mod page_picture;
mod page_sample;
mod page_text;
mod page_views;
mod report;
mod stages;
mod support;
mod text;
mod verdict;
