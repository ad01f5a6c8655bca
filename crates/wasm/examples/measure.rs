//! The figures of a native build, to be compared with those of WebAssembly: each argument is a
//! request as JSON (`@FILE` reads it from a file), each answer one line, and after it the seconds.
#![allow(clippy::print_stdout)]

fn main() -> Result<(), std::io::Error> {
    for ask in std::env::args().skip(1) {
        let ask = match ask.strip_prefix('@') {
            Some(path) => std::fs::read_to_string(path)?,
            None => ask,
        };
        let began = std::time::Instant::now();
        let figures = yomikiri_engine::on_deep_stack(|_| yomikiri_wasm::measure::answer(&ask));
        println!("{figures}");
        println!("{:.3}", began.elapsed().as_secs_f64());
    }
    Ok(())
}
