(** JSON values, their equality (L16) and their depth (L12). Numbers are rationals: every IEEE 754 double is one. *)
From Coq Require Import Bool List PeanoNat QArith Permutation.
From Proviso Require Import Texts.
Import ListNotations.
Local Open Scope nat_scope.

Inductive json : Type :=
| JNull
| JBool (b : bool)
| JNumber (q : Q)
| JString (t : text)
| JArray (elements : list json)
| JObject (members : list (text * json)).

(** The value of the first entry with a key. *)
Fixpoint lookup {K V : Type} (dec : forall a b : K, {a = b} + {a <> b}) (key : K) (entries : list (K * V))
  : option V :=
  match entries with
  | [] => None
  | (k, v) :: rest => if dec k key then Some v else lookup dec key rest
  end.

(** Whether two lists have the same length, and a relation holds between their elements, pair by pair. *)
Definition pairwise {A B : Type} (related : A -> B -> bool) : list A -> list B -> bool :=
  fix go l m :=
    match l, m with
    | [], [] => true
    | x :: l', y :: m' => related x y && go l' m'
    | _, _ => false
    end.

(** JSON equality: numbers by value, strings by code unit, arrays by order, objects by members (L16). *)
Fixpoint json_eqb (a b : json) {struct a} : bool :=
  match a, b with
  | JNull, JNull => true
  | JBool x, JBool y => Bool.eqb x y
  | JNumber x, JNumber y => Qeq_bool x y
  | JString x, JString y => if text_dec x y then true else false
  | JArray x, JArray y => pairwise json_eqb x y
  | JObject x, JObject y =>
      (length x =? length y) &&
      forallb (fun '(name, v) => match lookup text_dec name y with
                                 | Some w => json_eqb v w
                                 | None => false
                                 end) x
  | _, _ => false
  end.

(** Whether a value nests at most [depth] arrays and objects. *)
Fixpoint nests_within (depth : nat) (v : json) {struct depth} : bool :=
  match v, depth with
  | JArray _, O | JObject _, O => false
  | JArray elements, S d => forallb (nests_within d) elements
  | JObject members, S d => forallb (fun '(_, w) => nests_within d w) members
  | _, _ => true
  end.

(** The names of the members of every object are distinct, as in every parsed JSON text. *)
Inductive well_formed : json -> Prop :=
| wf_null : well_formed JNull
| wf_bool : forall b, well_formed (JBool b)
| wf_number : forall q, well_formed (JNumber q)
| wf_string : forall t, well_formed (JString t)
| wf_array : forall elements, Forall well_formed elements -> well_formed (JArray elements)
| wf_object : forall members,
    NoDup (map fst members) -> Forall (fun m => well_formed (snd m)) members -> well_formed (JObject members).

(** Structural induction that reaches into arrays and objects. *)
Section JsonInduction.
  Variable P : json -> Prop.
  Hypothesis null_case : P JNull.
  Hypothesis bool_case : forall b, P (JBool b).
  Hypothesis number_case : forall q, P (JNumber q).
  Hypothesis string_case : forall t, P (JString t).
  Hypothesis array_case : forall elements, Forall P elements -> P (JArray elements).
  Hypothesis object_case : forall members, Forall (fun m => P (snd m)) members -> P (JObject members).

  Fixpoint json_induction (v : json) : P v :=
    match v with
    | JNull => null_case
    | JBool b => bool_case b
    | JNumber q => number_case q
    | JString t => string_case t
    | JArray elements =>
        array_case elements
          ((fix go l : Forall P l :=
              match l with
              | [] => Forall_nil _
              | x :: l' => Forall_cons _ (json_induction x) (go l')
              end) elements)
    | JObject members =>
        object_case members
          ((fix go l : Forall (fun m => P (snd m)) l :=
              match l with
              | [] => Forall_nil _
              | m :: l' => Forall_cons _ (json_induction (snd m)) (go l')
              end) members)
    end.
End JsonInduction.

Section Lookup.
  Context {K V : Type} (dec : forall a b : K, {a = b} + {a <> b}).

  Lemma lookup_in : forall key (entries : list (K * V)) v,
    lookup dec key entries = Some v -> In (key, v) entries.
  Proof.
    induction entries as [| [k w] rest IH]; simpl; intros v H; [discriminate |].
    destruct (dec k key); [left; congruence | right; auto].
  Qed.

  Lemma in_lookup : forall key (entries : list (K * V)) v,
    NoDup (map fst entries) -> In (key, v) entries -> lookup dec key entries = Some v.
  Proof.
    induction entries as [| [k w] rest IH]; simpl; intros v Hdistinct Hin; [contradiction |].
    inversion Hdistinct as [| ? ? Hnotin Hrest]; subst.
    destruct Hin as [Heq | Hin], (dec k key); subst; try congruence; auto.
    exfalso. apply Hnotin. exact (in_map fst rest (key, v) Hin).
  Qed.

  Lemma lookup_none : forall key (entries : list (K * V)),
    lookup dec key entries = None <-> ~ In key (map fst entries).
  Proof.
    induction entries as [| [k w] rest IH]; simpl; [tauto |].
    destruct (dec k key); split; intros H; try congruence; try tauto.
  Qed.
End Lookup.

Lemma json_eqb_reflexive : forall v, well_formed v -> json_eqb v v = true.
Proof.
  induction v using json_induction; intros Hwf; simpl; auto.
  - apply Bool.eqb_reflx.
  - apply Qeq_bool_iff, Qeq_refl.
  - destruct (text_dec t t); congruence.
  - inversion Hwf as [| | | | ? Helements |]; subst. clear Hwf.
    induction elements as [| x l IH]; simpl; auto.
    apply Forall_cons_iff in H as [Hx Hl]. apply Forall_cons_iff in Helements as [Hwfx Hwfl].
    rewrite (Hx Hwfx). exact (IH Hl Hwfl).
  - inversion Hwf as [| | | | | ? Hdistinct Hmembers]; subst.
    rewrite Nat.eqb_refl. apply forallb_forall. intros [name v] Hin.
    rewrite (in_lookup text_dec name members v Hdistinct Hin).
    rewrite Forall_forall in *. exact (H (name, v) Hin (Hmembers (name, v) Hin)).
Qed.

Lemma names_of_equal_objects : forall x y : list (text * json),
  NoDup (map fst x) -> length x = length y ->
  (forall name v, In (name, v) x -> exists w, In (name, w) y) ->
  forall name w, In (name, w) y -> exists v, In (name, v) x.
Proof.
  intros x y Hdistinct Hlength Hxy name w Hin.
  assert (Hincl : incl (map fst x) (map fst y)).
  { intros n Hn. apply in_map_iff in Hn as [[n' v] [<- Hv]].
    destruct (Hxy n' v Hv) as [w' Hw']. exact (in_map fst y (n', w') Hw'). }
  assert (Hback : incl (map fst y) (map fst x)).
  { apply NoDup_length_incl; auto. rewrite !map_length. rewrite Hlength. constructor. }
  pose proof (Hback name (in_map fst y (name, w) Hin)) as Hname.
  apply in_map_iff in Hname as [[n v] [Hn Hv]]. simpl in Hn. subst. exists v. exact Hv.
Qed.

Lemma json_eqb_symmetric : forall a b,
  well_formed a -> well_formed b -> json_eqb a b = true -> json_eqb b a = true.
Proof.
  induction a using json_induction; intros [| | | | y | y] Ha Hb Heq; simpl in *; try congruence.
  - apply Bool.eqb_prop in Heq. subst. apply Bool.eqb_reflx.
  - apply Qeq_bool_iff in Heq. apply Qeq_bool_iff, Qeq_sym, Heq.
  - destruct (text_dec t t0); [subst | discriminate]. destruct (text_dec t0 t0); congruence.
  - inversion Ha as [| | | | ? Hx |]; inversion Hb as [| | | | ? Hy |]; subst.
    clear Ha Hb. revert y Heq Hy.
    induction elements as [| v l IH]; intros [| w y] Heq Hy; simpl in *; try congruence.
    apply Forall_cons_iff in H as [Hv Hl]. apply Forall_cons_iff in Hx as [Hwfv Hwfl].
    apply Forall_cons_iff in Hy as [Hwfw Hwfy].
    apply andb_true_iff in Heq as [Hvw Hrest]. apply andb_true_iff. split.
    + exact (Hv w Hwfv Hwfw Hvw).
    + exact (IH Hl Hwfl y Hrest Hwfy).
  - inversion Ha as [| | | | | ? Hx Hxs]; inversion Hb as [| | | | | ? Hy Hys]; subst.
    apply andb_true_iff in Heq as [Hlength Hall].
    apply Nat.eqb_eq in Hlength. rewrite forallb_forall in Hall. rewrite Forall_forall in *.
    assert (Hvalue : forall name v, In (name, v) members ->
                     exists w, lookup text_dec name y = Some w /\ json_eqb v w = true).
    { intros name v Hin. specialize (Hall (name, v) Hin). simpl in Hall.
      destruct (lookup text_dec name y) as [w |]; [exists w; auto | discriminate]. }
    rewrite Hlength, Nat.eqb_refl. apply forallb_forall. intros [name w] Hw.
    assert (Hnames : exists v, In (name, v) members).
    { apply (names_of_equal_objects members y) with w; auto.
      intros n v Hv. destruct (Hvalue n v Hv) as [w' [Hw' _]]. exists w'. eauto using lookup_in. }
    destruct Hnames as [v Hv]. rewrite (in_lookup text_dec name members v Hx Hv).
    destruct (Hvalue name v Hv) as [w' [Hlook Hvw]].
    rewrite (in_lookup text_dec name y w Hy Hw) in Hlook. injection Hlook as <-.
    exact (H (name, v) Hv w (Hxs (name, v) Hv) (Hys (name, w) Hw) Hvw).
Qed.

Lemma json_eqb_transitive : forall a b c,
  json_eqb a b = true -> json_eqb b c = true -> json_eqb a c = true.
Proof.
  induction a using json_induction; intros [| | | | y | y] [| | | | z | z] Hab Hbc; simpl in *; try congruence.
  - apply Bool.eqb_prop in Hab. apply Bool.eqb_prop in Hbc. subst. apply Bool.eqb_reflx.
  - apply Qeq_bool_iff in Hab. apply Qeq_bool_iff in Hbc. apply Qeq_bool_iff. eauto using Qeq_trans.
  - destruct (text_dec t t0), (text_dec t0 t1); try congruence. destruct (text_dec t t1); congruence.
  - revert y z Hab Hbc.
    induction elements as [| v l IH]; intros [| w y] [| u z] Hab Hbc; simpl in *; try congruence.
    apply Forall_cons_iff in H as [Hv Hl].
    apply andb_true_iff in Hab as [Hvw Hly]. apply andb_true_iff in Hbc as [Hwu Hyz].
    apply andb_true_iff. split.
    + exact (Hv w u Hvw Hwu).
    + exact (IH Hl y z Hly Hyz).
  - apply andb_true_iff in Hab as [Hxy Hab]. apply andb_true_iff in Hbc as [Hyz Hbc].
    apply Nat.eqb_eq in Hxy. apply Nat.eqb_eq in Hyz.
    rewrite forallb_forall in Hab, Hbc. rewrite Forall_forall in H.
    rewrite Hxy, Hyz, Nat.eqb_refl. apply forallb_forall. intros [name v] Hv.
    specialize (Hab (name, v) Hv). simpl in Hab.
    destruct (lookup text_dec name y) as [w |] eqn:Hw; [| discriminate].
    specialize (Hbc (name, w) (lookup_in text_dec name y w Hw)). simpl in Hbc.
    destruct (lookup text_dec name z) as [u |]; [| discriminate].
    exact (H (name, v) Hv w u Hab Hbc).
Qed.

(** JSON equality is an equivalence relation on well-formed values (L16). *)
Theorem json_equality_is_an_equivalence :
  (forall a, well_formed a -> json_eqb a a = true) /\
  (forall a b, well_formed a -> well_formed b -> json_eqb a b = true -> json_eqb b a = true) /\
  (forall a b c, json_eqb a b = true -> json_eqb b c = true -> json_eqb a c = true).
Proof.
  repeat split.
  - exact json_eqb_reflexive.
  - exact json_eqb_symmetric.
  - exact json_eqb_transitive.
Qed.

(** The order of the members of an object has no effect on equality (L16). *)
Theorem order_of_members_is_irrelevant : forall x y,
  well_formed (JObject x) -> Permutation x y -> json_eqb (JObject x) (JObject y) = true.
Proof.
  intros x y Hwf Hperm. simpl. rewrite (Permutation_length Hperm), Nat.eqb_refl.
  inversion Hwf as [| | | | | ? Hdistinct Hmembers]; subst.
  assert (Hdistinct' : NoDup (map fst y)).
  { apply (Permutation_NoDup (l := map fst x)); auto using Permutation_map. }
  apply forallb_forall. intros [name v] Hin.
  rewrite (in_lookup text_dec name y v); auto.
  - rewrite Forall_forall in Hmembers. apply json_eqb_reflexive, (Hmembers (name, v) Hin).
  - exact (Permutation_in (name, v) Hperm Hin).
Qed.
