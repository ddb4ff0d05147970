(** Residuals: the rest of a policy once some claims are known, as [src/analysis/residual.ts] computes it. *)
From Coq Require Import Bool List.
From Proviso Require Import Texts Json Operators Policies.
Import ListNotations.

(** Known claims: [None] where a claim is unknown, [Some None] where it is known to be undefined. *)
Definition knowledge := path -> option (option json).

(** An item after partial evaluation: an outcome, or the item that remains. *)
Inductive residual : Type :=
| Decided (outcome : bool)
| Open (i : item).

(** The items that a part contributes to a group: those of an inner group of the same kind are merged. *)
Definition parts_of_all (r : residual) : list item :=
  match r with
  | Decided _ => []
  | Open (AllOf items) => items
  | Open i => [i]
  end.

Definition parts_of_any (r : residual) : list item :=
  match r with
  | Decided _ => []
  | Open (AnyOf items) => items
  | Open i => [i]
  end.

Definition is_decided (outcome : bool) (r : residual) : bool :=
  match r with
  | Decided b => Bool.eqb b outcome
  | Open _ => false
  end.

(** The residual of a group with the items that remain: a single item alone; [empty] if none remains. *)
Definition group (of_items : list item -> item) (empty : bool) (items : list item) : residual :=
  match items with
  | [] => Decided empty
  | [only] => Open only
  | _ => Open (of_items items)
  end.

Definition combine_all (parts : list residual) : residual :=
  if existsb (is_decided false) parts then Decided false else group AllOf true (flat_map parts_of_all parts).

Definition combine_any (parts : list residual) : residual :=
  if existsb (is_decided true) parts then Decided true else group AnyOf false (flat_map parts_of_any parts).

Definition negate (r : residual) : residual :=
  match r with
  | Decided b => Decided (negb b)
  | Open (Not i) => Open i
  | Open i => Open (Not i)
  end.

Section Residuals.
  Context {matcher : PatternMatcher}.

  (** Evaluates the checks on known claims, and keeps the others. *)
  Fixpoint residual_of (known : knowledge) (i : item) : residual :=
    match i with
    | Check c =>
        match known (claim c) with
        | Some v => Decided (outcome_on c v)
        | None => Open (Check c)
        end
    | AllOf items => combine_all (map (residual_of known) items)
    | AnyOf items => combine_any (map (residual_of known) items)
    | Not inner => negate (residual_of known inner)
    end.

  (** The outcome of a residual on all claims. *)
  Definition outcome_of (env : environment) (r : residual) : bool :=
    match r with
    | Decided b => b
    | Open i => passes env i
    end.

  (** The claims include the known ones. *)
  Definition includes (env : environment) (known : knowledge) : Prop :=
    forall p v, known p = Some v -> env p = v.

  Lemma outcome_of_group_all : forall env items,
    outcome_of env (group AllOf true items) = forallb (passes env) items.
  Proof.
    intros env [| x [| y rest]]; simpl; try reflexivity. rewrite andb_true_r. reflexivity.
  Qed.

  Lemma outcome_of_group_any : forall env items,
    outcome_of env (group AnyOf false items) = existsb (passes env) items.
  Proof.
    intros env [| x [| y rest]]; simpl; try reflexivity. rewrite orb_false_r. reflexivity.
  Qed.

  Lemma outcome_of_combine_all : forall env parts,
    outcome_of env (combine_all parts) = forallb (outcome_of env) parts.
  Proof.
    intros env parts. unfold combine_all.
    destruct (existsb (is_decided false) parts) eqn:Hdecided.
    - apply existsb_exists in Hdecided as [r [Hr Hfalse]]. symmetry. apply not_true_is_false.
      intros Hall. rewrite forallb_forall in Hall. specialize (Hall r Hr).
      destruct r as [[] |]; simpl in *; discriminate.
    - rewrite outcome_of_group_all. induction parts as [| r parts IH]; simpl in *; [reflexivity |].
      apply orb_false_iff in Hdecided as [Hr Hparts]. rewrite forallb_app, (IH Hparts). f_equal.
      destruct r as [[] | []]; simpl in *; try discriminate; try apply andb_true_r; reflexivity.
  Qed.

  Lemma outcome_of_combine_any : forall env parts,
    outcome_of env (combine_any parts) = existsb (outcome_of env) parts.
  Proof.
    intros env parts. unfold combine_any.
    destruct (existsb (is_decided true) parts) eqn:Hdecided.
    - apply existsb_exists in Hdecided as [r [Hr Htrue]]. symmetry. apply existsb_exists.
      exists r. split; [assumption |]. destruct r as [[] |]; simpl in *; [reflexivity | discriminate ..].
    - rewrite outcome_of_group_any. induction parts as [| r parts IH]; simpl in *; [reflexivity |].
      apply orb_false_iff in Hdecided as [Hr Hparts]. rewrite existsb_app, (IH Hparts). f_equal.
      destruct r as [[] | []]; simpl in *; try discriminate; try apply orb_false_r; reflexivity.
  Qed.

  Lemma outcome_of_negate : forall env r, outcome_of env (negate r) = negb (outcome_of env r).
  Proof.
    intros env [b | []]; try reflexivity. symmetry. apply negb_involutive.
  Qed.

  (** On all claims that include the known ones, the residual has the outcome of the query. *)
  Theorem residuals_are_sound : forall known env i,
    includes env known -> outcome_of env (residual_of known i) = passes env i.
  Proof.
    intros known env i Hincludes. unfold passes. induction i using item_induction; simpl.
    - destruct (known (claim c)) as [v |] eqn:Hknown; [| reflexivity].
      unfold holds. rewrite (Hincludes (claim c) v Hknown). reflexivity.
    - rewrite outcome_of_combine_all. induction items as [| x items IH]; simpl; [reflexivity |].
      apply Forall_cons_iff in H as [Hx Hitems]. rewrite Hx, (IH Hitems). reflexivity.
    - rewrite outcome_of_combine_any. induction items as [| x items IH]; simpl; [reflexivity |].
      apply Forall_cons_iff in H as [Hx Hitems]. rewrite Hx, (IH Hitems). reflexivity.
    - rewrite outcome_of_negate, IHi. reflexivity.
  Qed.

  (** The checks that remain in a residual. *)
  Definition remaining (r : residual) : list check :=
    match r with
    | Decided _ => []
    | Open i => checks_of i
    end.

  Lemma remaining_of_group : forall (of_items : list item -> item) empty items,
    (forall l, checks_of (of_items l) = flat_map checks_of l) ->
    remaining (group of_items empty items) = flat_map checks_of items.
  Proof.
    intros of_items empty [| x [| y rest]] Hchecks; simpl; [reflexivity | | apply Hchecks].
    rewrite app_nil_r. reflexivity.
  Qed.

  Lemma remaining_of_parts : forall parts_of parts,
    (forall r, flat_map checks_of (parts_of r) = remaining r) ->
    flat_map checks_of (flat_map parts_of parts) = flat_map remaining parts.
  Proof.
    intros parts_of parts Hparts. induction parts as [| r parts IH]; simpl; [reflexivity |].
    rewrite flat_map_app, Hparts, IH. reflexivity.
  Qed.

  Lemma remaining_of_combine : forall parts c,
    In c (remaining (combine_all parts)) \/ In c (remaining (combine_any parts)) ->
    In c (flat_map remaining parts).
  Proof.
    intros parts c. unfold combine_all, combine_any.
    intros [H | H].
    - destruct (existsb _ parts); [contradiction |].
      rewrite remaining_of_group, remaining_of_parts in H; auto.
      intros [| []]; simpl; try apply app_nil_r; reflexivity.
    - destruct (existsb _ parts); [contradiction |].
      rewrite remaining_of_group, remaining_of_parts in H; auto.
      intros [| []]; simpl; try apply app_nil_r; reflexivity.
  Qed.

  (** A residual has checks of the query on unknown claims, and no others. *)
  Theorem residuals_read_unknown_claims_only : forall known i c,
    In c (remaining (residual_of known i)) -> known (claim c) = None /\ In c (checks_of i).
  Proof.
    intros known i c. induction i using item_induction; simpl; intros Hin.
    - destruct (known (claim c0)) as [v |] eqn:Hknown; simpl in Hin; [contradiction |].
      destruct Hin as [<- | []]. auto.
    - assert (Hparts : In c (flat_map remaining (map (residual_of known) items))).
      { apply remaining_of_combine. left. exact Hin. }
      apply in_flat_map in Hparts as [r [Hr Hc]]. apply in_map_iff in Hr as [x [<- Hx]].
      rewrite Forall_forall in H. destruct (H x Hx Hc) as [Hunknown Hof].
      split; [assumption |]. apply in_flat_map. exists x. auto.
    - assert (Hparts : In c (flat_map remaining (map (residual_of known) items))).
      { apply remaining_of_combine. right. exact Hin. }
      apply in_flat_map in Hparts as [r [Hr Hc]]. apply in_map_iff in Hr as [x [<- Hx]].
      rewrite Forall_forall in H. destruct (H x Hx Hc) as [Hunknown Hof].
      split; [assumption |]. apply in_flat_map. exists x. auto.
    - apply IHi. destruct (residual_of known i) as [b | []]; exact Hin.
  Qed.

  Lemma all_decided : forall parts,
    (forall r, In r parts -> exists b, r = Decided b) ->
    flat_map parts_of_all parts = [] /\ flat_map parts_of_any parts = [].
  Proof.
    induction parts as [| r parts IH]; intros Hdecided; simpl; [auto |].
    destruct (Hdecided r (or_introl eq_refl)) as [b ->]. simpl.
    apply IH. intros r Hr. exact (Hdecided r (or_intror Hr)).
  Qed.

  (** Where all claims of a query are known, its residual is an outcome. *)
  Theorem known_claims_decide : forall known i,
    (forall c, In c (checks_of i) -> known (claim c) <> None) -> exists b, residual_of known i = Decided b.
  Proof.
    intros known i. induction i using item_induction; simpl; intros Hknown.
    - destruct (known (claim c)) as [v |] eqn:Hv; [eexists; reflexivity |].
      exfalso. exact (Hknown c (or_introl eq_refl) Hv).
    - assert (Hparts : forall r, In r (map (residual_of known) items) -> exists b, r = Decided b).
      { intros r Hr. apply in_map_iff in Hr as [x [<- Hx]]. rewrite Forall_forall in H. apply (H x Hx).
        intros c Hc. apply Hknown, in_flat_map. exists x. auto. }
      apply all_decided in Hparts as [Hall _]. unfold combine_all. rewrite Hall.
      destruct (existsb _ _); eexists; reflexivity.
    - assert (Hparts : forall r, In r (map (residual_of known) items) -> exists b, r = Decided b).
      { intros r Hr. apply in_map_iff in Hr as [x [<- Hx]]. rewrite Forall_forall in H. apply (H x Hx).
        intros c Hc. apply Hknown, in_flat_map. exists x. auto. }
      apply all_decided in Hparts as [_ Hany]. unfold combine_any. rewrite Hany.
      destruct (existsb _ _); eexists; reflexivity.
    - destruct (IHi Hknown) as [b ->]. eexists. reflexivity.
  Qed.
End Residuals.
