//! The style sheet of all pages: for screens of any width and for paper.

/// It stands in every page, so that pages open from disk and fetch nothing.
pub(super) const STYLE: &str = "
:root { color-scheme: light; }
body { margin: 0; background: #fff; color: #1c1c1c; font: 16px/1.5 system-ui, 'Hiragino Sans', 'Noto Sans JP', sans-serif; }
main { max-width: 62rem; margin: 0 auto; padding: 1.5rem; }
h1 { font-size: 1.7rem; line-height: 1.2; } h2 { font-size: 1.2rem; margin-top: 2.2rem; }
nav.top { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; font-size: .9rem; }
nav.contents { font-size: .9rem; columns: 2 18rem; } nav.contents ol { margin: .3rem 0; padding-left: 1.4rem; }
.lead { font-size: 1.1rem; max-width: 48rem; }
.quick { background: #fff3d6; border-left: .4rem solid #c77700; padding: .5rem .8rem; }
.table, .manifest { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9rem; margin: .5rem 0 1rem; }
th, td { border-bottom: 1px solid #ccc; padding: .3rem .6rem; text-align: left; vertical-align: top; }
thead th { border-bottom: 2px solid #444; }
td.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.findings { table-layout: fixed; width: 100%; } .findings td { overflow-wrap: break-word; }
.findings th:nth-child(1) { width: 19%; } .findings th:nth-child(2) { width: 16%; } .findings th:nth-child(3) { width: 11%; } .findings th:nth-child(4) { width: 28%; }
.manifest td { overflow-wrap: anywhere; text-align: left; } .manifest thead { display: none; }
.caption, figcaption { font-size: .9rem; color: #444; }
figure { display: inline-block; width: 30rem; max-width: 100%; margin: .5rem .4rem 1rem 0; vertical-align: top; }
figure.row { display: block; width: auto; } figure.key { display: block; width: 34rem; }
.drawing { display: inline-block; width: 26rem; max-width: 48%; margin-right: .4rem; }
figure svg, figure img { width: 100%; height: auto; }
.holds { color: #14662a; } .fails { color: #a11414; } .open { color: #555; }
a { color: #0b4f9c; } code { overflow-wrap: anywhere; }
@media (max-width: 44rem) { main { padding: .8rem; } .drawing { max-width: 100%; width: 100%; }
.findings, .findings tbody, .findings tr, .findings td { display: block; width: auto; } .findings thead { display: none; }
.findings tr { border-bottom: 2px solid #444; padding: .4rem 0; } .findings td { border: 0; padding: .15rem 0; }
.findings td::before { content: attr(data-label) ': '; color: #555; font-size: .8rem; } }
@media print { main { max-width: none; padding: 0; } nav { display: none !important; } .table, .manifest { overflow: visible; } table { font-size: .62rem; } th, td { padding: .15rem .3rem; } td.n { white-space: normal; } figure { width: 47%; } figure.row { width: auto; } figure, tr { break-inside: avoid; } h2 { break-after: avoid; } }
";
