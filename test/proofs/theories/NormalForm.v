(** Negation normal form: [not] moved down to the checks, as [foldItem] of [src/engine/query/query.ts] does (L19). *)
From Coq Require Import Bool List.
From Proviso Require Import Texts Json Operators Policies.
Import ListNotations.

(** Folds an item, or its negation: [check] receives whether the number of negations around a check is odd. *)
Fixpoint fold_item {R : Type} (check : check -> bool -> R) (all any : list R -> R) (negated : bool) (i : item) : R :=
  match i with
  | Check c => check c negated
  | AllOf items =>
      let results := map (fold_item check all any negated) items in
      if negated then any results else all results
  | AnyOf items =>
      let results := map (fold_item check all any negated) items in
      if negated then all results else any results
  | Not inner => fold_item check all any (negb negated) inner
  end.

(** A condition with negations at its checks only. *)
Inductive formula : Type :=
| Literal (c : check) (must_pass : bool)
| All (formulas : list formula)
| Any (formulas : list formula).

Definition normal_form (negated : bool) (i : item) : formula :=
  fold_item (fun c negated => Literal c (negb negated)) All Any negated i.

(** Whether a formula is satisfied, given the outcomes of the checks. *)
Fixpoint satisfied (outcome : check -> bool) (f : formula) : bool :=
  match f with
  | Literal c must_pass => Bool.eqb (outcome c) must_pass
  | All formulas => forallb (satisfied outcome) formulas
  | Any formulas => existsb (satisfied outcome) formulas
  end.

Lemma forallb_map : forall {A B} (f : B -> bool) (g : A -> B) l,
  forallb f (map g l) = forallb (fun x => f (g x)) l.
Proof.
  intros A B f g l. induction l as [| x l IH]; simpl; [| rewrite IH]; reflexivity.
Qed.

Lemma existsb_map : forall {A B} (f : B -> bool) (g : A -> B) l,
  existsb f (map g l) = existsb (fun x => f (g x)) l.
Proof.
  intros A B f g l. induction l as [| x l IH]; simpl; [| rewrite IH]; reflexivity.
Qed.

Lemma negb_forallb : forall {A} (f : A -> bool) l, negb (forallb f l) = existsb (fun x => negb (f x)) l.
Proof.
  intros A f l. induction l as [| x l IH]; simpl; [reflexivity |]. rewrite negb_andb, IH. reflexivity.
Qed.

Lemma negb_existsb : forall {A} (f : A -> bool) l, negb (existsb f l) = forallb (fun x => negb (f x)) l.
Proof.
  intros A f l. induction l as [| x l IH]; simpl; [reflexivity |]. rewrite negb_orb, IH. reflexivity.
Qed.

(** A fold is correct for every meaning of its results that agrees with the outcomes of checks, with conjunction and with
    disjunction. This is the induction behind every translation that uses [foldItem]. *)
Theorem folds_are_correct : forall {R} (meaning : R -> bool) (outcome : check -> bool) check all any,
  (forall c negated, meaning (check c negated) = xorb negated (outcome c)) ->
  (forall results, meaning (all results) = forallb meaning results) ->
  (forall results, meaning (any results) = existsb meaning results) ->
  forall i negated, meaning (fold_item check all any negated i) = xorb negated (passes_by outcome i).
Proof.
  intros R meaning outcome check all any Hcheck Hall Hany.
  induction i using item_induction; intros negated; cbn [fold_item passes_by].
  - apply Hcheck.
  - rewrite Forall_forall in H. destruct negated.
    + rewrite Hany, existsb_map, xorb_true_l, negb_forallb. apply existsb_ext_in. intros x Hx.
      rewrite (H x Hx true). apply xorb_true_l.
    + rewrite Hall, forallb_map, xorb_false_l. apply forallb_ext_in. intros x Hx.
      rewrite (H x Hx false). apply xorb_false_l.
  - rewrite Forall_forall in H. destruct negated.
    + rewrite Hall, forallb_map, xorb_true_l, negb_existsb. apply forallb_ext_in. intros x Hx.
      rewrite (H x Hx true). apply xorb_true_l.
    + rewrite Hany, existsb_map, xorb_false_l. apply existsb_ext_in. intros x Hx.
      rewrite (H x Hx false). apply xorb_false_l.
  - rewrite IHi. destruct negated, (passes_by outcome i); reflexivity.
Qed.

(** The normal form of an item, or of its negation, is satisfied exactly where the item passes, or fails (L19). *)
Theorem normal_form_is_equivalent : forall {matcher : PatternMatcher} env negated i,
  satisfied (holds env) (normal_form negated i) = xorb negated (passes env i).
Proof.
  intros matcher env negated i. unfold normal_form, passes. apply folds_are_correct; try reflexivity.
  intros c odd. simpl. destruct (holds env c), odd; reflexivity.
Qed.

Fixpoint literals (f : formula) : list check :=
  match f with
  | Literal c _ => [c]
  | All formulas | Any formulas => flat_map literals formulas
  end.

(** The normal form has the checks of the item in document order: it is no larger than the item. *)
Theorem normal_form_keeps_the_checks : forall negated i, literals (normal_form negated i) = checks_of i.
Proof.
  intros negated i. unfold normal_form. revert negated.
  induction i using item_induction; intros negated; simpl; [reflexivity | | | apply IHi].
  - assert (Hitems : flat_map literals (map (normal_form negated) items) = flat_map checks_of items).
    { induction items as [| x items IH]; simpl; [reflexivity |].
      apply Forall_cons_iff in H as [Hx Hitems]. rewrite (IH Hitems). f_equal. apply Hx. }
    destruct negated; exact Hitems.
  - assert (Hitems : flat_map literals (map (normal_form negated) items) = flat_map checks_of items).
    { induction items as [| x items IH]; simpl; [reflexivity |].
      apply Forall_cons_iff in H as [Hx Hitems]. rewrite (IH Hitems). f_equal. apply Hx. }
    destruct negated; exact Hitems.
Qed.
