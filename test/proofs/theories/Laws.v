(** The laws of policies (L14, L19). *)
From Coq Require Import Bool List Permutation.
From Proviso Require Import Texts Json Operators Policies.
Import ListNotations.

Section Laws.
  Context {matcher : PatternMatcher}.
  Variable env : environment.

  (** A check of an undefined claim fails, whatever the operator (L14). *)
  Theorem undefined_claims_fail : forall c, env (claim c) = None -> passes env (Check c) = false.
  Proof.
    intros c Hundefined. unfold passes, holds, outcome_on. simpl. rewrite Hundefined. reflexivity.
  Qed.

  (** The negation of a check of an undefined claim passes (L19). *)
  Theorem negated_undefined_claims_pass : forall c,
    env (claim c) = None -> passes env (Not (Check c)) = true.
  Proof.
    intros c Hundefined. change (negb (passes env (Check c)) = true).
    rewrite (undefined_claims_fail c Hundefined). reflexivity.
  Qed.

  (** Negating twice has no effect (L19). *)
  Theorem double_negation : forall i, passes env (Not (Not i)) = passes env i.
  Proof.
    intros i. apply negb_involutive.
  Qed.

  (** De Morgan: [not] of [allOf] is [anyOf] of [not] (L19). *)
  Theorem de_morgan_all : forall items,
    passes env (Not (AllOf items)) = passes env (AnyOf (map Not items)).
  Proof.
    unfold passes. induction items as [| i items IH]; simpl in *; [reflexivity |].
    rewrite negb_andb, IH. reflexivity.
  Qed.

  (** De Morgan: [not] of [anyOf] is [allOf] of [not] (L19). *)
  Theorem de_morgan_any : forall items,
    passes env (Not (AnyOf items)) = passes env (AllOf (map Not items)).
  Proof.
    unfold passes. induction items as [| i items IH]; simpl in *; [reflexivity |].
    rewrite negb_orb, IH. reflexivity.
  Qed.

  (** Policies are two-valued: of an item and its negation, exactly one passes (L19). *)
  Theorem two_valued : forall i,
    passes env (AnyOf [i; Not i]) = true /\ passes env (AllOf [i; Not i]) = false.
  Proof.
    intros i. unfold passes. simpl. destruct (passes_by (holds env) i); split; reflexivity.
  Qed.

  (** A group of one item passes exactly where the item passes (L19). *)
  Theorem groups_of_one : forall i,
    passes env (AllOf [i]) = passes env i /\ passes env (AnyOf [i]) = passes env i.
  Proof.
    intros i. unfold passes. simpl. rewrite andb_true_r, orb_false_r. split; reflexivity.
  Qed.
End Laws.

(** Items that differ in the order of the items of their groups, at any depth. *)
Inductive reordered : item -> item -> Prop :=
| same_check : forall c, reordered (Check c) (Check c)
| in_not : forall i j, reordered i j -> reordered (Not i) (Not j)
| in_all_of : forall l m, Forall2 reordered l m -> reordered (AllOf l) (AllOf m)
| in_any_of : forall l m, Forall2 reordered l m -> reordered (AnyOf l) (AnyOf m)
| swapped_all_of : forall l m, Permutation l m -> reordered (AllOf l) (AllOf m)
| swapped_any_of : forall l m, Permutation l m -> reordered (AnyOf l) (AnyOf m)
| in_two_steps : forall i j k, reordered i j -> reordered j k -> reordered i k.

Lemma forallb_permutation : forall {A} (f : A -> bool) l m,
  Permutation l m -> forallb f l = forallb f m.
Proof.
  intros A f l m Hperm. induction Hperm; simpl; try congruence.
  destruct (f x), (f y); reflexivity.
Qed.

Lemma existsb_permutation : forall {A} (f : A -> bool) l m,
  Permutation l m -> existsb f l = existsb f m.
Proof.
  intros A f l m Hperm. induction Hperm; simpl; try congruence.
  destruct (f x), (f y); reflexivity.
Qed.

(** The order of the items of a group, at any depth, has no effect on [passed] (L19). *)
Theorem order_of_items_is_irrelevant : forall {matcher : PatternMatcher} env i j,
  reordered i j -> passes env i = passes env j.
Proof.
  intros matcher env. unfold passes. fix IH 3. intros i j [].
  - reflexivity.
  - simpl. f_equal. apply IH. assumption.
  - simpl. revert l m H. fix IHitems 3. intros l m [| x y l' m' Hxy Hrest]; simpl; [reflexivity |].
    f_equal; [apply IH; assumption | apply IHitems; assumption].
  - simpl. revert l m H. fix IHitems 3. intros l m [| x y l' m' Hxy Hrest]; simpl; [reflexivity |].
    f_equal; [apply IH; assumption | apply IHitems; assumption].
  - apply forallb_permutation. assumption.
  - apply existsb_permutation. assumption.
  - transitivity (passes_by (holds env) j0); apply IH; assumption.
Qed.

(** An item without [not]. *)
Fixpoint is_positive (i : item) : bool :=
  match i with
  | Check _ => true
  | AllOf items | AnyOf items => forallb is_positive items
  | Not _ => false
  end.

(** Every claim of [env] is defined in [more], with the same value. *)
Definition extends (env more : environment) : Prop :=
  forall p v, env p = Some v -> more p = Some v.

Lemma positive_items_are_monotone : forall f g i,
  is_positive i = true ->
  (forall c, In c (checks_of i) -> f c = true -> g c = true) ->
  passes_by f i = true -> passes_by g i = true.
Proof.
  intros f g. induction i using item_induction; simpl; intros Hpositive Hmore Hpasses.
  - apply Hmore; auto.
  - rewrite forallb_forall in *. rewrite Forall_forall in H. intros x Hx.
    apply (H x Hx); auto. intros c Hc. apply Hmore, in_flat_map. exists x. split; assumption.
  - rewrite existsb_exists in *. rewrite forallb_forall in Hpositive. rewrite Forall_forall in H.
    destruct Hpasses as [x [Hx Hpass]]. exists x. split; [assumption |].
    apply (H x Hx); auto. intros c Hc. apply Hmore, in_flat_map. exists x. split; assumption.
  - discriminate.
Qed.

(** A policy without [not] that passes still passes when more claims are defined: no operator passes on an
    undefined claim ([!=] and [notIn] included), so hiding claims never makes such a policy pass (L14, L19). *)
Theorem policies_without_not_are_monotone : forall {matcher : PatternMatcher} env more i,
  is_positive i = true -> extends env more -> passes env i = true -> passes more i = true.
Proof.
  intros matcher env more i Hpositive Hextends. apply positive_items_are_monotone; [assumption |].
  intros c _. unfold holds, outcome_on.
  destruct (env (claim c)) as [v |] eqn:Hv; [| discriminate].
  rewrite (Hextends (claim c) v Hv). auto.
Qed.

(** The outcome of an item depends on the claims that its checks name, and on no others (L21). *)
Theorem only_named_claims_matter : forall {matcher : PatternMatcher} env other i,
  (forall c, In c (checks_of i) -> env (claim c) = other (claim c)) -> passes env i = passes other i.
Proof.
  intros matcher env other i Hsame. apply passes_by_ext. intros c Hc.
  unfold holds. rewrite (Hsame c Hc). reflexivity.
Qed.
