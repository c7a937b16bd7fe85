//! A program whose tables its test judges.

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    println!("{} words", words.len());
}
