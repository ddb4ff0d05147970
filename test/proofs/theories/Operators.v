(** The twelve operators as a table (L14–L18). The pattern matcher of [matchRegex] is a parameter. *)
From Coq Require Import Bool List QArith ZArith.
From Proviso Require Import Texts Json Instants.
Import ListNotations.

(** Searches a text for a pattern. No theorem depends on a property of it. *)
Class PatternMatcher := matches : forall (pattern searched : text), bool.

Inductive operator : Type :=
| Equal | NotEqual
| Above | AtLeast | Below | AtMost
| IsIn | IsNotIn | Contains
| StartsWith | MatchRegex
| IsDefined.

(** How a claim compares with an operand: numbers by value, dates by instant; [None] for all else (L17). *)
Definition compare_values (value operand : json) : option comparison :=
  match value, operand with
  | JNumber a, JNumber b => Some (Qcompare a b)
  | JString a, JString b =>
      let* x := parse_instant a in
      let* y := parse_instant b in
      Some (Z.compare x y)
  | _, _ => None
  end.

(** Whether a comparison of the claim with the operand satisfies an operator of order. *)
Definition satisfies (op : operator) (compared : comparison) : bool :=
  match op, compared with
  | Above, Gt | AtLeast, Gt | AtLeast, Eq | Below, Lt | AtMost, Lt | AtMost, Eq => true
  | _, _ => false
  end.

Definition is_ordered (op : operator) (value operand : json) : bool :=
  match compare_values value operand with
  | Some compared => satisfies op compared
  | None => false
  end.

(** Whether an array has an element that equals a value. *)
Definition has_element (array value : json) : bool :=
  match array with
  | JArray elements => existsb (fun element => json_eqb element value) elements
  | _ => false
  end.

Section Table.
  Context {matcher : PatternMatcher}.

  (** Whether the value of a defined claim passes an operator. *)
  Definition test (op : operator) (operand value : json) : bool :=
    match op with
    | Equal => json_eqb value operand
    | NotEqual => negb (json_eqb value operand)
    | Above | AtLeast | Below | AtMost => is_ordered op value operand
    | IsIn => has_element operand value
    | IsNotIn => negb (has_element operand value)
    | Contains => has_element value operand
    | StartsWith =>
        match value, operand with
        | JString t, JString prefix => has_prefix prefix t
        | _, _ => false
        end
    | MatchRegex =>
        match value, operand with
        | JString t, JString pattern => matches pattern t
        | _, _ => false
        end
    | IsDefined => true
    end.
End Table.

(** Whether an operator accepts an operand, which parsing ensures (L15). The operand of [isDefined] is [true]. *)
Definition accepts (op : operator) (operand : json) : bool :=
  match op, operand with
  | Equal, _ | NotEqual, _ | Contains, _ => true
  | Above, JNumber _ | AtLeast, JNumber _ | Below, JNumber _ | AtMost, JNumber _ => true
  | Above, JString t | AtLeast, JString t | Below, JString t | AtMost, JString t =>
      match parse_instant t with
      | Some _ => true
      | None => false
      end
  | IsIn, JArray _ | IsNotIn, JArray _ => true
  | StartsWith, JString _ | MatchRegex, JString _ => true
  | IsDefined, JBool true => true
  | _, _ => false
  end.

(** The types of claims, as the columns of the table of L15. *)
Inductive json_type : Type := TNull | TBoolean | TNumber | TString | TArray | TObject.

Definition type_of (v : json) : json_type :=
  match v with
  | JNull => TNull
  | JBool _ => TBoolean
  | JNumber _ => TNumber
  | JString _ => TString
  | JArray _ => TArray
  | JObject _ => TObject
  end.

(** A cell of the table of L15: [–], [✓] or [?]. *)
Inductive cell : Type := AlwaysFails | AlwaysPasses | DependsOnOperand.

(** The table of L15, for defined claims. *)
Definition outcome_by_type (op : operator) (t : json_type) : cell :=
  match op, t with
  | Equal, _ | NotEqual, _ | IsIn, _ | IsNotIn, _ => DependsOnOperand
  | Above, TNumber | AtLeast, TNumber | Below, TNumber | AtMost, TNumber => DependsOnOperand
  | Above, TString | AtLeast, TString | Below, TString | AtMost, TString => DependsOnOperand
  | Contains, TArray => DependsOnOperand
  | StartsWith, TString | MatchRegex, TString => DependsOnOperand
  | IsDefined, _ => AlwaysPasses
  | _, _ => AlwaysFails
  end.

Section Theorems.
  Context {matcher : PatternMatcher}.

  (** The table of L15 is correct: [–] fails and [✓] passes, for every operand. *)
  Theorem outcome_by_type_is_correct : forall op operand value,
    match outcome_by_type op (type_of value) with
    | AlwaysFails => test op operand value = false
    | AlwaysPasses => test op operand value = true
    | DependsOnOperand => True
    end.
  Proof.
    intros op operand value. destruct op, value; simpl; auto.
  Qed.

  (** On a defined claim, [!=] is the negation of [==], and [notIn] is the negation of [in] (L16, L18). *)
  Theorem negative_operators_negate : forall operand value,
    test NotEqual operand value = negb (test Equal operand value) /\
    test IsNotIn operand value = negb (test IsIn operand value).
  Proof.
    intros operand value. split; reflexivity.
  Qed.

  (** [in] passes where [==] passes for an element of the operand (L18). *)
  Theorem membership_is_equality_with_an_element : forall elements value,
    well_formed value -> Forall well_formed elements ->
    test IsIn (JArray elements) value = existsb (fun element => test Equal element value) elements.
  Proof.
    intros elements value Hvalue Helements. simpl.
    induction Helements as [| element rest Helement Hrest IH]; simpl; [reflexivity |].
    rewrite IH. f_equal. apply eq_true_iff_eq.
    split; apply json_eqb_symmetric; assumption.
  Qed.

  (** Where a claim and an operand are comparable, exactly one of [>] and [<=] passes, and of [<] and [>=] (L17). *)
  Theorem order_operators_are_complementary : forall operand value,
    compare_values value operand <> None ->
    test AtMost operand value = negb (test Above operand value) /\
    test AtLeast operand value = negb (test Below operand value).
  Proof.
    intros operand value Hcomparable. simpl. unfold is_ordered.
    destruct (compare_values value operand) as [[] |]; [split; reflexivity .. | congruence].
  Qed.

  (** Where a claim and an operand are not comparable, all four operators of order fail (L15, L17). *)
  Theorem incomparable_values_fail : forall op operand value,
    In op [Above; AtLeast; Below; AtMost] -> compare_values value operand = None ->
    test op operand value = false.
  Proof.
    intros op operand value Hop Hnone. simpl in Hop.
    destruct Hop as [<- | [<- | [<- | [<- | []]]]]; simpl; unfold is_ordered; rewrite Hnone; reflexivity.
  Qed.
End Theorems.
