(** Extracts the evaluation of queries to OCaml, as [semantics.ml] in the current folder. *)
From Coq Require Import Extraction ExtrOcamlBasic.
From Proviso Require Import Texts Instants Evaluation.

Extraction Language OCaml.
Extraction "semantics.ml" evaluate parse_instant precedes.
