#!/bin/sh
# Compiles the theories with Coq, in the order of `_CoqProject`, and the extracted semantics with OCaml: `build/driver`.
set -e
rm -rf build
mkdir build
cp theories/*.v driver/*.ml build
cd build
for file in $(sed -n 's|^theories/||p' ../_CoqProject); do coqc -q -R . Proviso "$file"; done
ocamlfind ocamlopt -w -a -o driver semantics.mli semantics.ml json.ml driver.ml
