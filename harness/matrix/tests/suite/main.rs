//! Recipes of linking.

mod link;
