(** Strings as sequences of UTF-16 code units, and their order by code unit (L11, L16, L18). *)
From Coq Require Import Ascii Bool List NArith String Lia.
Import ListNotations.

Definition text := list N.

Definition text_dec : forall a b : text, {a = b} + {a <> b} := list_eq_dec N.eq_dec.

(** The text of an ASCII string, for constants and examples. *)
Definition literal (s : string) : text := map N_of_ascii (list_ascii_of_string s).

(** Whether a text precedes another, by code unit. *)
Fixpoint precedes (a b : text) : bool :=
  match a, b with
  | _, [] => false
  | [], _ :: _ => true
  | x :: a', y :: b' => if N.eqb x y then precedes a' b' else N.ltb x y
  end.

Fixpoint has_prefix (prefix t : text) : bool :=
  match prefix, t with
  | [], _ => true
  | _ :: _, [] => false
  | x :: prefix', y :: t' => N.eqb x y && has_prefix prefix' t'
  end.

Lemma precedes_irreflexive : forall a, precedes a a = false.
Proof.
  induction a as [| x a IH]; simpl; [reflexivity |].
  rewrite N.eqb_refl. exact IH.
Qed.

Lemma precedes_transitive : forall a b c,
  precedes a b = true -> precedes b c = true -> precedes a c = true.
Proof.
  induction a as [| x a IH]; intros [| y b] [| z c] Hab Hbc; simpl in *; try congruence.
  destruct (N.eqb_spec x y), (N.eqb_spec y z), (N.eqb_spec x z); subst;
    try rewrite N.ltb_lt in *; try congruence; try lia.
  exact (IH b c Hab Hbc).
Qed.

Lemma precedes_total : forall a b, a <> b -> precedes a b = false -> precedes b a = true.
Proof.
  induction a as [| x a IH]; intros [| y b] Hne H; simpl in *; try congruence.
  destruct (N.eqb_spec x y) as [-> | Hxy].
  - rewrite N.eqb_refl. apply IH; congruence.
  - destruct (N.eqb_spec y x); [congruence |].
    rewrite N.ltb_ge in H. rewrite N.ltb_lt. lia.
Qed.

(** The order of texts is a strict total order: irreflexive, transitive, and total on distinct texts. *)
Theorem texts_are_totally_ordered :
  (forall a, precedes a a = false) /\
  (forall a b c, precedes a b = true -> precedes b c = true -> precedes a c = true) /\
  (forall a b, a <> b -> precedes a b = true \/ precedes b a = true).
Proof.
  repeat split.
  - exact precedes_irreflexive.
  - exact precedes_transitive.
  - intros a b Hne. destruct (precedes a b) eqn:H; [left | right]; auto using precedes_total.
Qed.

(** [has_prefix] compares code units: a text has a prefix where it is the prefix, followed by any text. *)
Theorem has_prefix_iff : forall prefix t,
  has_prefix prefix t = true <-> exists rest, t = prefix ++ rest.
Proof.
  induction prefix as [| x prefix IH]; intros t; simpl.
  - split; [exists t; reflexivity | reflexivity].
  - destruct t as [| y t].
    + split; [discriminate | intros [rest H]; discriminate].
    + rewrite andb_true_iff, N.eqb_eq, IH. split.
      * intros [-> [rest ->]]. exists rest. reflexivity.
      * intros [rest H]. injection H as -> ->. split; [reflexivity | exists rest; reflexivity].
Qed.
