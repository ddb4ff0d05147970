(** The translation of policies to SQL, whose conditions are true, false or unknown, as [src/sql] does it (L14–L19). *)
From Coq Require Import Bool List QArith ZArith.
From Proviso Require Import Texts Json Instants Operators Policies NormalForm.
Import ListNotations.

(** The truth values of SQL. *)
Inductive truth : Type := T | F | U.

Definition truth_of (b : bool) : truth := if b then T else F.

(** Whether a row is selected: a condition selects the rows for which it is true, neither false nor unknown. *)
Definition is_true (t : truth) : bool :=
  match t with
  | T => true
  | F | U => false
  end.

Definition sql_and (a b : truth) : truth :=
  match a, b with
  | F, _ | _, F => F
  | T, T => T
  | _, _ => U
  end.

Definition sql_or (a b : truth) : truth :=
  match a, b with
  | T, _ | _, T => T
  | F, F => F
  | _, _ => U
  end.

Definition sql_not (a : truth) : truth :=
  match a with
  | T => F
  | F => T
  | U => U
  end.

(** A condition, as [src/sql/fragment.ts] builds it. [Atom] stands for any condition of a dialect. *)
Inductive fragment : Type :=
| Constant (b : bool)
| Atom (t : truth)
| And (fragments : list fragment)
| Or (fragments : list fragment)
| IsNotTrue (f : fragment).

Fixpoint truth_in_sql (f : fragment) : truth :=
  match f with
  | Constant b => truth_of b
  | Atom t => t
  | And fragments => fold_right (fun f t => sql_and (truth_in_sql f) t) T fragments
  | Or fragments => fold_right (fun f t => sql_or (truth_in_sql f) t) F fragments
  | IsNotTrue f => truth_of (negb (is_true (truth_in_sql f)))
  end.

Definition selects (f : fragment) : bool := is_true (truth_in_sql f).

Definition is_constant (b : bool) (f : fragment) : bool :=
  match f with
  | Constant c => Bool.eqb b c
  | _ => false
  end.

(** Joins conditions without the neutral constant; the other constant decides, and one condition needs no operator. *)
Definition joined (of_fragments : list fragment -> fragment) (neutral : bool) (fragments : list fragment) : fragment :=
  let conditions := filter (fun f => negb (is_constant neutral f)) fragments in
  if existsb (is_constant (negb neutral)) conditions then Constant (negb neutral)
  else match conditions with
       | [] => Constant neutral
       | [only] => only
       | _ => of_fragments conditions
       end.

Definition all_of : list fragment -> fragment := joined And true.
Definition any_of : list fragment -> fragment := joined Or false.

(** Negates a condition in the sense of policies: true where it is false or unknown. *)
Definition is_not (f : fragment) : fragment :=
  match f with
  | Constant b => Constant (negb b)
  | _ => IsNotTrue f
  end.

Lemma selects_and : forall fragments, selects (And fragments) = forallb selects fragments.
Proof.
  unfold selects. induction fragments as [| f fragments IH]; simpl in *; [reflexivity |].
  rewrite <- IH. destruct (truth_in_sql f), (fold_right _ T fragments); reflexivity.
Qed.

Lemma selects_or : forall fragments, selects (Or fragments) = existsb selects fragments.
Proof.
  unfold selects. induction fragments as [| f fragments IH]; simpl in *; [reflexivity |].
  rewrite <- IH. destruct (truth_in_sql f), (fold_right _ F fragments); reflexivity.
Qed.

Lemma is_true_truth_of : forall b, is_true (truth_of b) = b.
Proof.
  intros []; reflexivity.
Qed.

Lemma selects_is_not : forall f, selects (is_not f) = negb (selects f).
Proof.
  intros [[] | | | |]; try reflexivity; unfold selects; apply is_true_truth_of.
Qed.

Lemma is_constant_iff : forall b f, is_constant b f = true <-> f = Constant b.
Proof.
  intros b f. destruct f as [c | | | |]; simpl; split; intros H; try discriminate.
  - apply Bool.eqb_prop in H. congruence.
  - injection H as ->. apply Bool.eqb_reflx.
Qed.

Lemma selects_all_of : forall fragments, selects (all_of fragments) = forallb selects fragments.
Proof.
  intros fragments. unfold all_of, joined.
  assert (Hfilter : forallb selects (filter (fun f => negb (is_constant true f)) fragments)
                    = forallb selects fragments).
  { induction fragments as [| f fragments IH]; simpl; [reflexivity |].
    destruct (is_constant true f) eqn:Hf; simpl; rewrite IH; [| reflexivity].
    apply is_constant_iff in Hf as ->. reflexivity. }
  rewrite <- Hfilter. generalize (filter (fun f => negb (is_constant true f)) fragments).
  intros conditions. destruct (existsb (is_constant (negb true)) conditions) eqn:Hfalse.
  - apply existsb_exists in Hfalse as [f [Hf Hconstant]]. apply is_constant_iff in Hconstant as ->.
    symmetry. apply not_true_is_false. intros Hall. rewrite forallb_forall in Hall.
    exact (eq_ind false (fun b => if b then False else True) I true (Hall _ Hf)).
  - destruct conditions as [| f [| g rest]]; [reflexivity | simpl; rewrite andb_true_r; reflexivity |].
    apply selects_and.
Qed.

Lemma selects_any_of : forall fragments, selects (any_of fragments) = existsb selects fragments.
Proof.
  intros fragments. unfold any_of, joined.
  assert (Hfilter : existsb selects (filter (fun f => negb (is_constant false f)) fragments)
                    = existsb selects fragments).
  { induction fragments as [| f fragments IH]; simpl; [reflexivity |].
    destruct (is_constant false f) eqn:Hf; simpl; rewrite IH; [| reflexivity].
    apply is_constant_iff in Hf as ->. reflexivity. }
  rewrite <- Hfilter. generalize (filter (fun f => negb (is_constant false f)) fragments).
  intros conditions. destruct (existsb (is_constant (negb false)) conditions) eqn:Htrue.
  - symmetry. apply existsb_exists in Htrue as [f [Hf Hconstant]]. apply is_constant_iff in Hconstant as ->.
    apply existsb_exists. exists (Constant true). split; [assumption | reflexivity].
  - destruct conditions as [| f [| g rest]]; [reflexivity | simpl; rewrite orb_false_r; reflexivity |].
    apply selects_or.
Qed.

(** A claim's value in a statement: the interface [SqlValue] that each dialect implements. *)
Record sql_value : Type := {
  is_defined : truth;
  equals : json -> truth;
  is_among : list json -> truth;
  contains : json -> truth;
  orders : operator -> Q -> truth;
  orders_in_time : operator -> Z -> truth;
  starts_with : text -> truth;
  matches_pattern : text -> truth;
}.

Section Translation.
  Context {matcher : PatternMatcher}.

  (** The contract of a dialect: each condition is true exactly where the engine's check passes, and otherwise false or
      unknown. [is_defined] is never unknown. *)
  Record is_faithful (s : sql_value) (v : option json) : Prop := {
    defined_ok : is_defined s = truth_of (match v with Some _ => true | None => false end);
    equals_ok : forall operand, is_true (equals s operand)
      = outcome_on {| claim := []; op := Equal; operand := operand |} v;
    among_ok : forall operands, is_true (is_among s operands)
      = outcome_on {| claim := []; op := IsIn; operand := JArray operands |} v;
    contains_ok : forall operand, is_true (contains s operand)
      = outcome_on {| claim := []; op := Contains; operand := operand |} v;
    orders_ok : forall op number, In op [Above; AtLeast; Below; AtMost] ->
      is_true (orders s op number) = outcome_on {| claim := []; op := op; operand := JNumber number |} v;
    orders_in_time_ok : forall op t instant, In op [Above; AtLeast; Below; AtMost] ->
      parse_instant t = Some instant ->
      is_true (orders_in_time s op instant) = outcome_on {| claim := []; op := op; operand := JString t |} v;
    starts_with_ok : forall prefix, is_true (starts_with s prefix)
      = outcome_on {| claim := []; op := StartsWith; operand := JString prefix |} v;
    matches_ok : forall pattern, is_true (matches_pattern s pattern)
      = outcome_on {| claim := []; op := MatchRegex; operand := JString pattern |} v;
  }.

  Definition ordering (s : sql_value) (op : operator) (operand : json) : fragment :=
    match operand with
    | JNumber number => Atom (orders s op number)
    | JString t => match parse_instant t with
                   | Some instant => Atom (orders_in_time s op instant)
                   | None => Constant false
                   end
    | _ => Constant false
    end.

  (** The condition under which a value passes a check: the table [OPERATOR_TRANSLATIONS]. *)
  Definition to_condition (c : check) (s : sql_value) : fragment :=
    match op c, operand c with
    | Equal, o => Atom (equals s o)
    | NotEqual, o => all_of [Atom (is_defined s); is_not (Atom (equals s o))]
    | (Above | AtLeast | Below | AtMost) as op, o => ordering s op o
    | IsIn, JArray operands => Atom (is_among s operands)
    | IsNotIn, JArray operands => all_of [Atom (is_defined s); is_not (Atom (is_among s operands))]
    | Contains, o => Atom (contains s o)
    | StartsWith, JString prefix => Atom (starts_with s prefix)
    | MatchRegex, JString pattern => Atom (matches_pattern s pattern)
    | IsDefined, _ => Atom (is_defined s)
    | _, _ => Constant false
    end.

  (** The condition of a check selects exactly where the check passes, undefined claims included (L14–L18). *)
  Theorem conditions_of_checks_are_exact : forall c s v,
    is_faithful s v -> accepts (op c) (operand c) = true -> selects (to_condition c s) = outcome_on c v.
  Proof.
    intros [p op operand] s v Hs Haccepts. simpl in Haccepts.
    assert (Horder : In op [Above; AtLeast; Below; AtMost] ->
                     selects (ordering s op operand) = outcome_on {| claim := p; op := op; operand := operand |} v).
    { intros Hop. unfold selects, ordering. simpl in Hop.
      destruct operand as [| b | number | t | elements | members]; simpl;
        try (destruct Hop as [<- | [<- | [<- | [<- | []]]]]; discriminate).
      - exact (orders_ok s v Hs op number Hop).
      - destruct (parse_instant t) as [instant |] eqn:Ht.
        + exact (orders_in_time_ok s v Hs op t instant Hop Ht).
        + destruct Hop as [<- | [<- | [<- | [<- | []]]]]; simpl in Haccepts; rewrite Ht in Haccepts; discriminate. }
    unfold to_condition. simpl.
    destruct op; try (apply Horder; simpl; tauto).
    - exact (equals_ok s v Hs operand).
    - rewrite selects_all_of. simpl. unfold selects. simpl.
      rewrite (defined_ok s v Hs), (equals_ok s v Hs operand).
      destruct v as [v |]; simpl; [destruct (json_eqb v operand) |]; reflexivity.
    - destruct operand; try discriminate. exact (among_ok s v Hs elements).
    - destruct operand; try discriminate. rewrite selects_all_of. simpl. unfold selects. simpl.
      rewrite (defined_ok s v Hs), (among_ok s v Hs elements).
      destruct v as [v |]; simpl; [destruct (existsb _ elements) |]; reflexivity.
    - exact (contains_ok s v Hs operand).
    - destruct operand; try discriminate. exact (starts_with_ok s v Hs t).
    - destruct operand; try discriminate. exact (matches_ok s v Hs t).
    - unfold selects. simpl. rewrite (defined_ok s v Hs). destruct v; reflexivity.
  Qed.

  (** Translates an item in negation normal form: a check as [where] of the reader of claims, and a negated one as
      [whereNot]. *)
  Definition translate (read : path -> sql_value) : bool -> item -> fragment :=
    fold_item (fun c negated => let condition := to_condition c (read (claim c)) in
                                if negated then is_not condition else condition) all_of any_of.

  Definition is_valid (i : item) : Prop := forall c, In c (checks_of i) -> accepts (op c) (operand c) = true.

  (** The translation of a policy selects a person exactly where the policy passes on the person's claims, and the
      translation of its negation exactly where it fails. Undefined claims, for which comparisons are unknown in SQL, are
      included (L14, L19). *)
  Theorem translations_are_exact : forall env read negated i,
    (forall p, is_faithful (read p) (env p)) -> is_valid i ->
    selects (translate read negated i) = xorb negated (passes env i).
  Proof.
    intros env read negated i Hread Hvalid.
    transitivity (xorb negated (passes_by (fun c => selects (to_condition c (read (claim c)))) i)).
    - apply folds_are_correct; [| exact selects_all_of | exact selects_any_of].
      intros c []; [rewrite selects_is_not | simpl; destruct (selects _)]; reflexivity.
    - f_equal. apply passes_by_ext. intros c Hc.
      exact (conditions_of_checks_are_exact c (read (claim c)) (env (claim c)) (Hread (claim c)) (Hvalid c Hc)).
  Qed.

  (** As [translate], but checks for which [omits] holds are replaced by [TRUE]: the dialect or the layout does not
      support them. *)
  Definition translate_without (omits : check -> bool) (read : path -> sql_value) : bool -> item -> fragment :=
    fold_item (fun c negated => if omits c then Constant true
                                else let condition := to_condition c (read (claim c)) in
                                     if negated then is_not condition else condition) all_of any_of.

  (** Where checks are omitted, the condition selects at least the people who satisfy the policy: omitted checks never
      exclude a person, not even under [not]. *)
  Theorem omitted_checks_exclude_nobody : forall env omits read negated i,
    (forall p, is_faithful (read p) (env p)) -> is_valid i ->
    xorb negated (passes env i) = true -> selects (translate_without omits read negated i) = true.
  Proof.
    intros env omits read negated i Hread. unfold translate_without, passes. revert negated.
    induction i using item_induction; intros negated Hvalid Hpasses; cbn [fold_item passes_by] in *.
    - destruct (omits c); [reflexivity |].
      assert (Hc : selects (to_condition c (read (claim c))) = holds env c).
      { apply conditions_of_checks_are_exact; [apply Hread | apply Hvalid; left; reflexivity]. }
      destruct negated; [rewrite selects_is_not |]; rewrite Hc.
      + rewrite xorb_true_l in Hpasses. exact Hpasses.
      + rewrite xorb_false_l in Hpasses. exact Hpasses.
    - rewrite Forall_forall in H.
      assert (Hvalid' : forall x, In x items -> is_valid x).
      { intros x Hx c Hc. apply Hvalid, in_flat_map. exists x. auto. }
      destruct negated.
      + rewrite selects_any_of, existsb_map. rewrite xorb_true_l, negb_forallb in Hpasses.
        apply existsb_exists in Hpasses as [x [Hx Hfails]]. apply existsb_exists. exists x. split; [assumption |].
        apply (H x Hx true (Hvalid' x Hx)). rewrite xorb_true_l. exact Hfails.
      + rewrite selects_all_of, forallb_map. rewrite xorb_false_l, forallb_forall in Hpasses.
        apply forallb_forall. intros x Hx. apply (H x Hx false (Hvalid' x Hx)).
        rewrite xorb_false_l. exact (Hpasses x Hx).
    - rewrite Forall_forall in H.
      assert (Hvalid' : forall x, In x items -> is_valid x).
      { intros x Hx c Hc. apply Hvalid, in_flat_map. exists x. auto. }
      destruct negated.
      + rewrite selects_all_of, forallb_map. rewrite xorb_true_l, negb_existsb, forallb_forall in Hpasses.
        apply forallb_forall. intros x Hx. apply (H x Hx true (Hvalid' x Hx)).
        rewrite xorb_true_l. exact (Hpasses x Hx).
      + rewrite selects_any_of, existsb_map. rewrite xorb_false_l in Hpasses.
        apply existsb_exists in Hpasses as [x [Hx Hpass]]. apply existsb_exists. exists x. split; [assumption |].
        apply (H x Hx false (Hvalid' x Hx)). rewrite xorb_false_l. exact Hpass.
    - apply IHi; [exact Hvalid |]. destruct negated, (passes_by (holds env) i); auto.
  Qed.
End Translation.

(** Why [not] cannot be translated to SQL's [NOT]: the negation of unknown is unknown, and selects nobody. *)
Example not_of_unknown_selects_nobody : is_true (sql_not U) = false /\ selects (is_not (Atom U)) = true.
Proof. split; reflexivity. Qed.
