(** The evidence of an evaluation, [checkResults] and [claimsUsed] (L21), and proofs that it suffices for the verdict. *)
From Coq Require Import String Bool List PeanoNat ZArith Lia.
From Proviso Require Import Texts Json Operators Policies Claims.
Import ListNotations.
Local Open Scope nat_scope.

(** The distinct paths of a list, in order of first occurrence. *)
Definition distinct (paths : list path) : list path := rev (nodup path_dec (rev paths)).

(** The distinct claim paths of an item, in order of first use. *)
Definition paths_of (i : item) : list path := distinct (map claim (checks_of i)).

Record check_result : Type := { checked : check; actual : option json; passed : bool }.

Record claim_used : Type := {
  used_path : path;
  used_value : json;
  credential_id : text;
  credential_source : text;
}.

Section Evidence.
  Context {matcher : PatternMatcher}.

  (** One entry per check, in document order; every check is evaluated. *)
  Definition check_results (find : path -> option found) (i : item) : list check_result :=
    map (fun c => {| checked := c;
                     actual := environment_of find (claim c);
                     passed := holds (environment_of find) c |}) (checks_of i).
End Evidence.

Definition use (p : path) (f : found) : claim_used :=
  {| used_path := p; used_value := value f;
     credential_id := id (attested_by f); credential_source := source (attested_by f) |}.

(** One entry per distinct defined claim, in order of first use. *)
Definition claims_used (find : path -> option found) (paths : list path) : list claim_used :=
  flat_map (fun p => match find p with Some f => [use p f] | None => [] end) paths.

Lemma in_distinct : forall p paths, In p (distinct paths) <-> In p paths.
Proof.
  intros p paths. unfold distinct. rewrite <- in_rev, nodup_In, <- in_rev. reflexivity.
Qed.

Lemma distinct_is_distinct : forall paths, NoDup (distinct paths).
Proof.
  intros paths. unfold distinct. apply NoDup_rev, NoDup_nodup.
Qed.

Lemma in_claims_used : forall find paths u,
  In u (claims_used find paths) <-> exists p f, In p paths /\ find p = Some f /\ u = use p f.
Proof.
  intros find paths u. unfold claims_used. rewrite in_flat_map. split.
  - intros [p [Hp Hu]]. destruct (find p) as [f |] eqn:Hf; [| contradiction].
    destruct Hu as [<- | []]. exists p, f. auto.
  - intros [p [f [Hp [Hf ->]]]]. exists p. rewrite Hf. simpl. auto.
Qed.

(** [claimsUsed] has exactly the defined claims of the checks, each once (L21). *)
Theorem claims_used_are_the_defined_claims : forall find i,
  (forall p, In p (map used_path (claims_used find (paths_of i))) <->
             In p (map claim (checks_of i)) /\ find p <> None) /\
  NoDup (map used_path (claims_used find (paths_of i))).
Proof.
  intros find i. split.
  - intros p. rewrite in_map_iff. split.
    + intros [u [<- Hu]]. apply in_claims_used in Hu as [q [f [Hq [Hf ->]]]]. simpl.
      split; [apply in_distinct; assumption | congruence].
    + intros [Hp Hdefined]. destruct (find p) as [f |] eqn:Hf; [| congruence].
      exists (use p f). split; [reflexivity |]. apply in_claims_used.
      exists p, f. split; [apply in_distinct |]; auto.
  - assert (Hdistinct : NoDup (paths_of i)) by apply distinct_is_distinct.
    induction Hdistinct as [| p paths Hnotin Hdistinct IH]; simpl; [constructor |].
    destruct (find p) as [f |] eqn:Hf; simpl; [| exact IH].
    constructor; [| exact IH].
    intros H. apply Hnotin. apply in_map_iff in H as [u [Hu Hin]].
    apply in_claims_used in Hin as [q [g [Hq [_ ->]]]]. simpl in Hu. congruence.
Qed.

(** ** The verdict follows from [checkResults] *)

(** Recomputes the verdict of an item from the outcomes of its checks, in document order. Returns the rest of them. *)
Fixpoint replay (i : item) (outcomes : list bool) {struct i} : bool * list bool :=
  match i with
  | Check _ => (hd false outcomes, tl outcomes)
  | AllOf items =>
      (fix go l o := match l with
                     | [] => (true, o)
                     | x :: l' => let '(a, o) := replay x o in let '(b, o) := go l' o in (a && b, o)
                     end) items outcomes
  | AnyOf items =>
      (fix go l o := match l with
                     | [] => (false, o)
                     | x :: l' => let '(a, o) := replay x o in let '(b, o) := go l' o in (a || b, o)
                     end) items outcomes
  | Not inner => let '(a, o) := replay inner outcomes in (negb a, o)
  end.

Lemma replay_outcomes : forall f i rest,
  replay i (map f (checks_of i) ++ rest) = (passes_by f i, rest).
Proof.
  intros f. induction i using item_induction; intros rest; simpl.
  - reflexivity.
  - induction items as [| x l IH]; simpl; [reflexivity |].
    apply Forall_cons_iff in H as [Hx Hl]. rewrite map_app, <- app_assoc, Hx, (IH Hl). reflexivity.
  - induction items as [| x l IH]; simpl; [reflexivity |].
    apply Forall_cons_iff in H as [Hx Hl]. rewrite map_app, <- app_assoc, Hx, (IH Hl). reflexivity.
  - rewrite IHi. reflexivity.
Qed.

(** The verdict can be recomputed from the query and the outcomes in [checkResults] (L21). *)
Theorem check_results_determine_the_verdict : forall {matcher : PatternMatcher} find i,
  fst (replay i (map passed (check_results find i))) = passes (environment_of find) i.
Proof.
  intros matcher find i. unfold check_results. rewrite map_map.
  change (fst (replay i (map (holds (environment_of find)) (checks_of i))) = passes (environment_of find) i).
  rewrite <- (app_nil_r (map _ _)), replay_outcomes. reflexivity.
Qed.

(** ** The verdict follows from [claimsUsed] *)

(** The claims in the evidence; all others are undefined. *)
Definition recorded (used : list claim_used) : environment :=
  fun p => lookup path_dec p (map (fun u => (used_path u, used_value u)) used).

Lemma recorded_claims_used : forall find paths p,
  NoDup paths -> In p paths -> recorded (claims_used find paths) p = environment_of find p.
Proof.
  intros find paths p Hdistinct Hp. unfold recorded, environment_of.
  induction Hdistinct as [| q paths Hnotin Hdistinct IH]; [contradiction |]. simpl.
  destruct (path_dec q p) as [-> | Hne].
  - destruct (find p) as [f |]; simpl.
    + destruct (path_dec p p); [reflexivity | congruence].
    + apply lookup_none. intros H. apply Hnotin.
      rewrite map_map in H. simpl in H. apply in_map_iff in H as [u [Hu Hin]].
      apply in_claims_used in Hin as [r [f [Hr [_ ->]]]]. simpl in Hu. congruence.
  - destruct Hp as [| Hp]; [congruence |].
    destruct (find q) as [f |]; simpl; [| exact (IH Hp)].
    destruct (path_dec q p); [congruence | exact (IH Hp)].
Qed.

(** Evidence suffices: on the claims in [claimsUsed], and no others, every check has the same outcome, and the query has
    the same verdict (L21). *)
Theorem claims_used_suffice : forall {matcher : PatternMatcher} find i,
  (forall c, In c (checks_of i) ->
     holds (recorded (claims_used find (paths_of i))) c = holds (environment_of find) c) /\
  passes (recorded (claims_used find (paths_of i))) i = passes (environment_of find) i.
Proof.
  intros matcher find i.
  assert (Hchecks : forall c, In c (checks_of i) ->
     holds (recorded (claims_used find (paths_of i))) c = holds (environment_of find) c).
  { intros c Hc. unfold holds. rewrite recorded_claims_used; [reflexivity | apply distinct_is_distinct |].
    apply in_distinct. exact (in_map claim (checks_of i) c Hc). }
  split; [exact Hchecks | exact (passes_by_ext _ _ i Hchecks)].
Qed.

(** ** [claimsUsed] as a credential *)

(** A credential with the claims in the evidence, under the paths of the query. *)
Definition credential_of (used : list claim_used) : credential :=
  {| id := []; source := []; issued_at := 0%Z; expires_at := None; revoked_at := None;
     claims := map (fun u => (used_path u, used_value u)) used |}.

Lemma splits_append : forall shortest p q r, In (q, r) (splits shortest p) -> p = q ++ r.
Proof.
  intros shortest p q r H. unfold splits in H. apply in_map_iff in H as [count [Heq _]].
  injection Heq as <- <-. symmetry. apply firstn_skipn.
Qed.

Lemma splits_start : forall p, 2 <= length p -> exists shorter, splits 2 p = (p, []) :: shorter.
Proof.
  intros p Hlength. unfold splits.
  replace (S (length p) - 2) with (S (length p - 2)) by lia.
  rewrite seq_S, rev_app_distr. cbn [rev app map].
  replace (2 + (length p - 2)) with (length p) by lia.
  rewrite firstn_all, skipn_all. eexists. reflexivity.
Qed.

Lemma nests_within_more : forall depth v, nests_within depth v = true -> nests_within (S depth) v = true.
Proof.
  induction depth as [| depth IH]; intros [] H; simpl in *; try reflexivity; try discriminate.
  - rewrite forallb_forall in *. intros x Hx. exact (IH x (H x Hx)).
  - rewrite forallb_forall in *. intros [name x] Hx. exact (IH x (H (name, x) Hx)).
Qed.

Lemma members_nest_within : forall names v w depth,
  nests_within depth v = true -> read_members names v = Some w -> nests_within depth w = true.
Proof.
  induction names as [| name names IH]; intros v w depth Hnests Hread; simpl in Hread; [congruence |].
  destruct v as [| | | | | members]; try discriminate.
  destruct (lookup text_dec name members) as [u |] eqn:Hlookup; [| discriminate].
  apply (IH u); [| assumption]. destruct depth as [| depth]; simpl in Hnests; [discriminate |].
  rewrite forallb_forall in Hnests.
  exact (nests_within_more depth u (Hnests (name, u) (lookup_in text_dec name members u Hlookup))).
Qed.

(** Keeps [simpl] from unrolling the sixteen levels. *)
Local Opaque deepest_claim.

Lemma attested_values_nest_within : forall credentials p f,
  find_attested credentials p = Some f -> nests_within deepest_claim (value f) = true.
Proof.
  induction credentials as [| c rest IH]; intros p f Hfind; simpl in Hfind; [discriminate |].
  destruct (value_in c p) as [v |] eqn:Hv; simpl in Hfind; [| exact (IH p f Hfind)].
  assert (Hnests : nests_within deepest_claim v = true).
  { unfold value_in in Hv. destruct (lookup path_dec p (claims c)) as [w |]; [| discriminate].
    destruct (nests_within deepest_claim w) eqn:Hw; congruence. }
  destruct (find_attested rest p) as [g |] eqn:Hg; [destruct (takes_precedence _ _) |];
    injection Hfind as <-; eauto.
Qed.

Lemma found_values_nest_within : forall credentials p f,
  find_claim credentials p = Some f -> nests_within deepest_claim (value f) = true.
Proof.
  intros credentials p f Hfind. unfold find_claim, find_parent in Hfind.
  destruct (first_some _ (splits 2 p)) as [[parent rest] |] eqn:Hparent; [| discriminate].
  destruct (read_members rest (value parent)) as [v |] eqn:Hread; [| discriminate].
  injection Hfind as <-. apply (members_nest_within rest (value parent)); [| assumption].
  clear Hread. revert Hparent. generalize (splits 2 p). induction l as [| [q r] l IH]; simpl; [discriminate |].
  destruct (find_attested credentials q) as [g |] eqn:Hg; simpl; [| exact IH].
  intros H. injection H as <- <-. exact (attested_values_nest_within credentials q g Hg).
Qed.

Lemma value_in_credential_of : forall find paths p,
  NoDup paths -> In p paths -> (forall f, find p = Some f -> nests_within deepest_claim (value f) = true) ->
  value_in (credential_of (claims_used find paths)) p = environment_of find p.
Proof.
  intros find paths p Hdistinct Hp Hnests.
  pose proof (recorded_claims_used find paths p Hdistinct Hp) as Hrecorded.
  unfold value_in, credential_of. cbn [claims].
  unfold recorded in Hrecorded. rewrite Hrecorded. unfold environment_of.
  destruct (find p) as [f |]; cbn [option_map]; [rewrite (Hnests f eq_refl) |]; reflexivity.
Qed.

(** Where no claim path of a query is a prefix of another, [claimsUsed] may be presented as a credential: evaluation
    on it has the same verdict (L13, L21). *)
Theorem claims_used_suffice_as_a_credential : forall {matcher : PatternMatcher} credentials i,
  (forall p, In p (paths_of i) -> 2 <= length p) ->
  (forall p q rest, In p (paths_of i) -> In q (paths_of i) -> p = q ++ rest -> rest = []) ->
  let used := claims_used (find_claim credentials) (paths_of i) in
  passes (environment_of (find_claim [credential_of used])) i
    = passes (environment_of (find_claim credentials)) i.
Proof.
  intros matcher credentials i Hlength Hprefix used. apply passes_by_ext. intros c Hc.
  unfold holds. f_equal.
  assert (Hin : In (claim c) (paths_of i)).
  { apply in_distinct. exact (in_map claim (checks_of i) c Hc). }
  generalize dependent (claim c). intros p Hp.
  assert (Hvalue : value_in (credential_of used) p = environment_of (find_claim credentials) p).
  { apply value_in_credential_of; [apply distinct_is_distinct | exact Hp |].
    intros f. apply found_values_nest_within. }
  rewrite <- Hvalue. unfold environment_of at 1, find_claim, find_parent.
  destruct (splits_start p (Hlength p Hp)) as [shorter Hsplits].
  assert (Hshorter : forall q r, In (q, r) (splits 2 p) -> q <> p -> value_in (credential_of used) q = None).
  { intros q r Hq Hne. apply splits_append in Hq. unfold value_in.
    destruct (lookup path_dec q (claims (credential_of used))) as [v |] eqn:Hlookup; [| reflexivity].
    apply lookup_in in Hlookup. simpl in Hlookup. apply in_map_iff in Hlookup as [u [Hu Hused]].
    apply in_claims_used in Hused as [q' [f [Hq' [_ ->]]]]. injection Hu as Hu _. simpl in Hu. subst q'.
    specialize (Hprefix p q r Hp Hq' Hq). subst r. rewrite app_nil_r in Hq. congruence. }
  destruct (value_in (credential_of used) p) as [v |] eqn:Hv.
  - rewrite Hsplits. simpl. rewrite Hv. reflexivity.
  - replace (first_some _ (splits 2 p)) with (@None (found * path)); [reflexivity |].
    symmetry. revert Hshorter. generalize (splits 2 p). induction l as [| [q r] l IH]; intros Hnone; simpl; [reflexivity |].
    assert (Hq : value_in (credential_of used) q = None).
    { destruct (path_dec q p) as [-> | Hne]; [assumption |]. exact (Hnone q r (or_introl eq_refl) Hne). }
    rewrite Hq. simpl. apply IH. intros q' r' Hin. exact (Hnone q' r' (or_intror Hin)).
Qed.

(** In general, [claimsUsed] does not suffice as a credential. Here [x.a.b.c] is undefined, because its parent claim
    [x.a.b] has no members. [claimsUsed] lacks [x.a.b], so that in the credential, [x.a] is the parent claim, and defines
    [x.a.b.c]. *)
Section Counterexample.
  Local Open Scope string_scope.
  Local Transparent deepest_claim.
  Let x_a := map literal ["x"; "a"].
  Let x_a_b := map literal ["x"; "a"; "b"].
  Let x_a_b_c := map literal ["x"; "a"; "b"; "c"].
  Let is_defined (p : path) : item := Check {| claim := p; op := IsDefined; operand := JBool true |}.
  Let query := AllOf [is_defined x_a; is_defined x_a_b_c].
  Let person := {|
    id := literal "c1"; source := literal "issuer"; issued_at := 0%Z; expires_at := None; revoked_at := None;
    claims := [(x_a, JObject [(literal "b", JObject [(literal "c", JNull)])]); (x_a_b, JBool true)];
  |}.

  Example claims_used_may_not_suffice_as_a_credential : forall {matcher : PatternMatcher},
    let used := claims_used (find_claim [person]) (paths_of query) in
    passes (environment_of (find_claim [person])) query = false /\
    passes (environment_of (find_claim [credential_of used])) query = true /\
    passes (recorded used) query = false.
  Proof. intros matcher. repeat split. Qed.
End Counterexample.
