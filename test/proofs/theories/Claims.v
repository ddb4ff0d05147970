(** Credentials, and the claim that they attest at a path (L10–L13). *)
From Coq Require Import Bool List PeanoNat Permutation ZArith Lia.
From Proviso Require Import Texts Json Policies.
Import ListNotations.
Local Open Scope Z_scope.

(** Instants are milliseconds since 1970. *)
Record credential : Type := {
  id : text;
  source : text;
  issued_at : Z;
  expires_at : option Z;
  revoked_at : option Z;
  claims : list (path * json);
}.

Definition is_before_end (now : Z) (ending : option Z) : bool :=
  match ending with
  | Some instant => now <? instant
  | None => true
  end.

(** Whether a credential is active at an instant (L10). *)
Definition is_active (now : Z) (c : credential) : bool :=
  (issued_at c <=? now) && is_before_end now (expires_at c) && is_before_end now (revoked_at c).

Definition active (now : Z) (credentials : list credential) : list credential :=
  filter (is_active now) credentials.

(** A defined claim, and the credential that attests it. *)
Record found : Type := { value : json; attested_by : credential }.

Definition deepest_claim : nat := 16.

(** The value of a credential's claim under its full path. A value that nests too deep counts as absent (L12). *)
Definition value_in (c : credential) (p : path) : option json :=
  match lookup path_dec p (claims c) with
  | Some v => if nests_within deepest_claim v then Some v else None
  | None => None
  end.

(** Whether a credential takes precedence: issued later, or at the same instant with a smaller id (L11). *)
Definition takes_precedence (c d : credential) : bool :=
  (issued_at d <? issued_at c) || ((issued_at c =? issued_at d) && precedes (id c) (id d)).

Definition first_of (a b : option found) : option found :=
  match a, b with
  | Some x, Some y => if takes_precedence (attested_by y) (attested_by x) then Some y else Some x
  | Some x, None => Some x
  | None, _ => b
  end.

(** The claim under exactly this path, of the credential that takes precedence (L11). *)
Fixpoint find_attested (credentials : list credential) (p : path) : option found :=
  match credentials with
  | [] => None
  | c :: rest =>
      first_of (option_map (fun v => {| value := v; attested_by := c |}) (value_in c p)) (find_attested rest p)
  end.

(** The value of a member, and of its members, by name. *)
Fixpoint read_members (names : path) (v : json) : option json :=
  match names, v with
  | [], _ => Some v
  | name :: names', JObject members =>
      match lookup text_dec name members with
      | Some w => read_members names' w
      | None => None
      end
  | _, _ => None
  end.

(** The prefixes of a path, each with the names that follow it: the longest first, each of at least [shortest] names. *)
Definition splits (shortest : nat) (p : path) : list (path * path) :=
  map (fun count => (firstn count p, skipn count p)) (rev (seq shortest (S (length p) - shortest))).

(** The first result of a function on a list. *)
Fixpoint first_some {A B : Type} (f : A -> option B) (l : list A) : option B :=
  match l with
  | [] => None
  | x :: rest => match f x with Some y => Some y | None => first_some f rest end
  end.

(** The parent claim, which is the longest prefix that is a defined claim, and the names below it (L13). *)
Definition find_parent (credentials : list credential) (p : path) : option (found * path) :=
  first_some (fun '(prefix, rest) => option_map (fun f => (f, rest)) (find_attested credentials prefix))
             (splits 2 p).

(** The claim at a path: the parent claim itself, or a member of it (L13). Shorter prefixes are not tried. *)
Definition find_claim (credentials : list credential) (p : path) : option found :=
  match find_parent credentials p with
  | Some (parent, rest) =>
      option_map (fun v => {| value := v; attested_by := attested_by parent |})
                 (read_members rest (value parent))
  | None => None
  end.

(** The claims of a person, as checks read them. *)
Definition environment_of (find : path -> option found) : environment :=
  fun p => option_map value (find p).

(** ** Precedence *)

Lemma precedence_is_asymmetric : forall c d,
  takes_precedence c d = true -> takes_precedence d c = false.
Proof.
  unfold takes_precedence. intros c d H.
  destruct (Z.eq_dec (issued_at c) (issued_at d)) as [Heq | Hne].
  - rewrite Heq in *. rewrite Z.ltb_irrefl, Z.eqb_refl in *. simpl in *.
    destruct (precedes (id d) (id c)) eqn:Hback; [| reflexivity].
    rewrite <- (precedes_irreflexive (id c)). symmetry.
    exact (precedes_transitive (id c) (id d) (id c) H Hback).
  - apply orb_true_iff in H as [H | H].
    + apply orb_false_iff. rewrite Z.ltb_lt in H. rewrite Z.ltb_ge, andb_false_iff, Z.eqb_neq. split; [lia | left; lia].
    + apply andb_true_iff in H as [H _]. apply Z.eqb_eq in H. congruence.
Qed.

Lemma precedence_is_total : forall c d,
  id c <> id d -> takes_precedence c d = false -> takes_precedence d c = true.
Proof.
  unfold takes_precedence. intros c d Hid H. apply orb_false_iff in H as [Hlater Hsame].
  rewrite Z.ltb_ge in Hlater. apply orb_true_iff.
  destruct (Z.eq_dec (issued_at c) (issued_at d)) as [Heq | Hne].
  - right. rewrite Heq, Z.eqb_refl in *. simpl in *. exact (precedes_total (id c) (id d) Hid Hsame).
  - left. rewrite Z.ltb_lt. lia.
Qed.

Lemma precedence_is_transitive : forall c d e,
  takes_precedence c d = true -> takes_precedence d e = true -> takes_precedence c e = true.
Proof.
  unfold takes_precedence. intros c d e Hcd Hde.
  apply orb_true_iff in Hcd. apply orb_true_iff in Hde. apply orb_true_iff.
  rewrite !andb_true_iff, !Z.ltb_lt, !Z.eqb_eq in *.
  destruct Hcd as [Hcd | [Hcd Hids]], Hde as [Hde | [Hde Hids']]; try (left; lia).
  right. split; [lia |]. exact (precedes_transitive (id c) (id d) (id e) Hids Hids').
Qed.

(** [f] is the claim at [p] that takes precedence over those of all other credentials. *)
Definition is_attested (credentials : list credential) (p : path) (f : found) : Prop :=
  In (attested_by f) credentials /\
  value_in (attested_by f) p = Some (value f) /\
  (forall d, In d credentials -> value_in d p <> None ->
             d = attested_by f \/ takes_precedence (attested_by f) d = true).

Lemma find_attested_none : forall credentials p,
  find_attested credentials p = None <-> forall c, In c credentials -> value_in c p = None.
Proof.
  induction credentials as [| c rest IH]; intros p; simpl.
  - split; [intros _ c [] | reflexivity].
  - destruct (value_in c p) as [v |] eqn:Hv; simpl.
    + split.
      * destruct (find_attested rest p); [destruct (takes_precedence _ _) |]; discriminate.
      * intros Hall. specialize (Hall c (or_introl eq_refl)). congruence.
    + rewrite IH. split.
      * intros Hall d [<- | Hd]; auto.
      * intros Hall d Hd. auto.
Qed.

Lemma find_attested_some : forall credentials p f,
  NoDup (map id credentials) -> find_attested credentials p = Some f -> is_attested credentials p f.
Proof.
  induction credentials as [| c rest IH]; intros p f Hdistinct Hfind; simpl in *; [discriminate |].
  inversion Hdistinct as [| ? ? Hnotin Hrest]; subst.
  destruct (value_in c p) as [v |] eqn:Hv; simpl in Hfind.
  - destruct (find_attested rest p) as [g |] eqn:Hg.
    + destruct (IH p g Hrest Hg) as [Hin [Hvalue Hfirst]].
      assert (Hids : id (attested_by g) <> id c).
      { intros Heq. apply Hnotin. rewrite <- Heq. exact (in_map id rest _ Hin). }
      simpl in Hfind. destruct (takes_precedence (attested_by g) c) eqn:Hprec; injection Hfind as <-.
      * repeat split; simpl; auto. intros d [<- | Hd] Hdefined; auto.
      * repeat split; simpl; auto. intros d [<- | Hd] Hdefined; auto. right.
        pose proof (precedence_is_total (attested_by g) c Hids Hprec) as Hcg.
        destruct (Hfirst d Hd Hdefined) as [-> | Hgd]; [assumption |].
        exact (precedence_is_transitive c (attested_by g) d Hcg Hgd).
    + injection Hfind as <-. repeat split; simpl; auto. intros d [<- | Hd] Hdefined; auto.
      exfalso. apply Hdefined. exact (proj1 (find_attested_none rest p) Hg d Hd).
  - destruct (IH p f Hrest Hfind) as [Hin [Hvalue Hfirst]].
    repeat split; simpl; auto. intros d [<- | Hd] Hdefined; auto.
Qed.

(** The claim under a path is attested by a credential that takes precedence over all others with that claim;
    there is none exactly where no credential has the claim (L11, L12). *)
Theorem precedence_decides : forall credentials p,
  NoDup (map id credentials) ->
  match find_attested credentials p with
  | Some f => is_attested credentials p f
  | None => forall c, In c credentials -> value_in c p = None
  end.
Proof.
  intros credentials p Hdistinct. destruct (find_attested credentials p) as [f |] eqn:Hfind.
  - exact (find_attested_some credentials p f Hdistinct Hfind).
  - exact (proj1 (find_attested_none credentials p) Hfind).
Qed.

Lemma is_attested_unique : forall credentials p f g,
  is_attested credentials p f -> is_attested credentials p g -> f = g.
Proof.
  intros credentials p [v c] [w d] [Hc [Hv Hfirst]] [Hd [Hw Hfirst']]. simpl in *.
  assert (Hdefined : value_in c p <> None) by congruence.
  assert (Hdefined' : value_in d p <> None) by congruence.
  assert (Hsame : d = c).
  { destruct (Hfirst d Hd Hdefined') as [Heq | Hcd]; [assumption |].
    destruct (Hfirst' c Hc Hdefined) as [Heq | Hdc]; [congruence |].
    rewrite (precedence_is_asymmetric c d Hcd) in Hdc. discriminate. }
  subst. congruence.
Qed.

Lemma find_attested_permutation : forall credentials others p,
  NoDup (map id credentials) -> Permutation credentials others ->
  find_attested credentials p = find_attested others p.
Proof.
  intros credentials others p Hdistinct Hperm.
  assert (Hdistinct' : NoDup (map id others)).
  { exact (Permutation_NoDup (Permutation_map id Hperm) Hdistinct). }
  pose proof (precedence_decides credentials p Hdistinct) as Hone.
  pose proof (precedence_decides others p Hdistinct') as Hother.
  destruct (find_attested credentials p) as [f |], (find_attested others p) as [g |]; auto.
  - f_equal. apply (is_attested_unique credentials p f g Hone).
    destruct Hother as [Hin [Hvalue Hfirst]]. repeat split; auto.
    + exact (Permutation_in _ (Permutation_sym Hperm) Hin).
    + intros d Hd. apply Hfirst. exact (Permutation_in _ Hperm Hd).
  - destruct Hone as [Hin [Hvalue _]].
    rewrite (Hother _ (Permutation_in _ Hperm Hin)) in Hvalue. discriminate.
  - destruct Hother as [Hin [Hvalue _]].
    rewrite (Hone _ (Permutation_in _ (Permutation_sym Hperm) Hin)) in Hvalue. discriminate.
Qed.

(** ** The claim at a path *)

Lemma first_some_ext_in : forall {A B} (f g : A -> option B) l,
  (forall x, In x l -> f x = g x) -> first_some f l = first_some g l.
Proof.
  intros A B f g l H. induction l as [| x l IH]; simpl; [reflexivity |].
  rewrite (H x (or_introl eq_refl)), IH; [reflexivity |].
  intros y Hy. exact (H y (or_intror Hy)).
Qed.

(** The prefixes of a path that may be a parent claim, the path itself included. *)
Definition parents (p : path) : list path := map fst (splits 2 p).

(** The claim at a path depends only on the claims that its prefixes name. *)
Lemma find_claim_ext : forall credentials others p,
  (forall q, In q (parents p) -> find_attested credentials q = find_attested others q) ->
  find_claim credentials p = find_claim others p.
Proof.
  intros credentials others p Hsame. unfold find_claim, find_parent.
  rewrite (first_some_ext_in _ (fun '(prefix, rest) =>
             option_map (fun f => (f, rest)) (find_attested others prefix))); [reflexivity |].
  intros [prefix rest] Hin. rewrite (Hsame prefix); [reflexivity |].
  exact (in_map fst (splits 2 p) (prefix, rest) Hin).
Qed.

(** The order of the credentials has no effect on any claim (L11). *)
Theorem order_of_credentials_is_irrelevant : forall credentials others p,
  NoDup (map id credentials) -> Permutation credentials others ->
  find_claim credentials p = find_claim others p.
Proof.
  intros credentials others p Hdistinct Hperm. apply find_claim_ext. intros q _.
  exact (find_attested_permutation credentials others q Hdistinct Hperm).
Qed.

(** Credentials that are not active attest nothing (L10). *)
Theorem inactive_credentials_attest_nothing : forall now credentials p f,
  NoDup (map id credentials) -> find_attested (active now credentials) p = Some f ->
  is_active now (attested_by f) = true.
Proof.
  intros now credentials p f Hdistinct Hfind.
  assert (Hin : In (attested_by f) (active now credentials)).
  { apply (find_attested_some _ p); [| assumption].
    clear Hfind. induction credentials as [| c rest IH]; simpl; [constructor |].
    inversion Hdistinct as [| ? ? Hnotin Hrest]; subst.
    destruct (is_active now c); simpl; auto. constructor; auto.
    intros H. apply Hnotin. apply in_map_iff in H as [d [Hid Hd]].
    apply filter_In in Hd as [Hd _]. rewrite <- Hid. exact (in_map id rest d Hd). }
  apply filter_In in Hin as [_ Hactive]. exact Hactive.
Qed.
