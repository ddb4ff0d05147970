(** Checks and policies, and whether they pass on the claims of a person (L2, L3, L14, L19). *)
From Coq Require Import Bool List.
From Proviso Require Import Texts Json Operators.
Import ListNotations.

(** A claim path: its names. The grammar of paths (L9) is a matter of parsing. *)
Definition path := list text.

Definition path_dec : forall a b : path, {a = b} + {a <> b} := list_eq_dec text_dec.

Record check : Type := { claim : path; op : operator; operand : json }.

Inductive item : Type :=
| Check (c : check)
| AllOf (items : list item)
| AnyOf (items : list item)
| Not (i : item).

(** The claims of a person, as checks read them: [None] where a claim is undefined. *)
Definition environment := path -> option json.

(** Whether an item passes, given the outcomes of its checks (L19). *)
Fixpoint passes_by (outcome : check -> bool) (i : item) : bool :=
  match i with
  | Check c => outcome c
  | AllOf items => forallb (passes_by outcome) items
  | AnyOf items => existsb (passes_by outcome) items
  | Not inner => negb (passes_by outcome inner)
  end.

Section Semantics.
  Context {matcher : PatternMatcher}.

  (** The outcome of a check on a value. A check of an undefined claim fails (L14). *)
  Definition outcome_on (c : check) (value : option json) : bool :=
    match value with
    | Some v => test (op c) (operand c) v
    | None => false
    end.

  Definition holds (env : environment) (c : check) : bool := outcome_on c (env (claim c)).

  Definition passes (env : environment) (i : item) : bool := passes_by (holds env) i.
End Semantics.

(** The checks of an item, in document order. *)
Fixpoint checks_of (i : item) : list check :=
  match i with
  | Check c => [c]
  | AllOf items | AnyOf items => flat_map checks_of items
  | Not inner => checks_of inner
  end.

(** Structural induction that reaches into groups. *)
Section ItemInduction.
  Variable P : item -> Prop.
  Hypothesis check_case : forall c, P (Check c).
  Hypothesis all_case : forall items, Forall P items -> P (AllOf items).
  Hypothesis any_case : forall items, Forall P items -> P (AnyOf items).
  Hypothesis not_case : forall i, P i -> P (Not i).

  Fixpoint item_induction (i : item) : P i :=
    let go := fix go l : Forall P l :=
      match l with
      | [] => Forall_nil _
      | x :: l' => Forall_cons _ (item_induction x) (go l')
      end in
    match i with
    | Check c => check_case c
    | AllOf items => all_case items (go items)
    | AnyOf items => any_case items (go items)
    | Not inner => not_case inner (item_induction inner)
    end.
End ItemInduction.

Lemma forallb_ext_in : forall {A} (f g : A -> bool) l,
  (forall x, In x l -> f x = g x) -> forallb f l = forallb g l.
Proof.
  intros A f g l H. induction l as [| x l IH]; simpl; [reflexivity |].
  rewrite (H x (or_introl eq_refl)), IH; [reflexivity |].
  intros y Hy. exact (H y (or_intror Hy)).
Qed.

Lemma existsb_ext_in : forall {A} (f g : A -> bool) l,
  (forall x, In x l -> f x = g x) -> existsb f l = existsb g l.
Proof.
  intros A f g l H. induction l as [| x l IH]; simpl; [reflexivity |].
  rewrite (H x (or_introl eq_refl)), IH; [reflexivity |].
  intros y Hy. exact (H y (or_intror Hy)).
Qed.

(** Equal outcomes of the checks give equal outcomes of the item. *)
Lemma passes_by_ext : forall f g i,
  (forall c, In c (checks_of i) -> f c = g c) -> passes_by f i = passes_by g i.
Proof.
  intros f g. induction i using item_induction; simpl; intros Hext.
  - apply Hext. left. reflexivity.
  - rewrite Forall_forall in H. apply forallb_ext_in. intros x Hx. apply (H x Hx).
    intros c Hc. apply Hext, in_flat_map. exists x. split; assumption.
  - rewrite Forall_forall in H. apply existsb_ext_in. intros x Hx. apply (H x Hx).
    intros c Hc. apply Hext, in_flat_map. exists x. split; assumption.
  - f_equal. apply IHi. exact Hext.
Qed.
