(** The evaluation of a query: the scope gate, then evidence or data, and the expiry of the result (L20–L24). *)
From Coq Require Import Bool List Permutation ZArith.
From Proviso Require Import Texts Json Operators Policies Laws Claims Scopes Evidence Projections.
Import ListNotations.
Local Open Scope Z_scope.

Inductive query : Type :=
| Predicate (i : item)
| Projections (projections : list projection).

Inductive outcome : Type :=
| Refused (uncovered : list (path * list text))
| PredicateResult (is_passed : bool) (used : list claim_used) (results : list check_result) (expires : Z)
| ProjectionResult (projected_data : list (path * json)) (used : list (path * json)) (expires : Z).

(** The distinct claim paths of a query, in order of first use. *)
Definition query_paths (q : query) : list path :=
  match q with
  | Predicate i => paths_of i
  | Projections projections => distinct (map projected projections)
  end.

(** The last instant that RFC 3339 can represent: 9999-12-31T23:59:59.999Z. *)
Definition last_instant : Z := 253402300799999.

Definition earlier (a : option Z) (b : option Z) : option Z :=
  match a, b with
  | Some x, Some y => Some (Z.min x y)
  | Some x, None => Some x
  | None, _ => b
  end.

(** The earliest expiry among the credentials of the claims used; otherwise the end of the result's lifetime (L22). *)
Definition expiry (now lifetime : Z) (find : path -> option found) (paths : list path) : Z :=
  let expiries := map (fun p => match find p with Some f => expires_at (attested_by f) | None => None end) paths in
  let at_latest := match fold_right earlier None expiries with
                   | Some instant => instant
                   | None => now + lifetime
                   end in
  Z.min at_latest last_instant.

Section Evaluation.
  Context {matcher : PatternMatcher}.

  (** Evaluates a query with the claims that [find] finds. *)
  Definition evaluate_claims (now lifetime : Z) (find : path -> option found) (q : query) : outcome :=
    let expires := expiry now lifetime find (query_paths q) in
    match q with
    | Predicate i =>
        PredicateResult (passes (environment_of find) i) (claims_used find (paths_of i)) (check_results find i)
                        expires
    | Projections projections =>
        ProjectionResult (data find projections) (claims_projected find projections) expires
    end.

  (** Evaluates a query on the credentials of a person at an instant, with the granted scopes. *)
  Definition evaluate (cat : catalogue) (granted : list text) (now lifetime : Z)
      (credentials : list credential) (q : query) : outcome :=
    match missing cat granted (query_paths q) with
    | [] => evaluate_claims now lifetime (find_claim (active now credentials)) q
    | uncovered => Refused uncovered
    end.

  (** Adding a scope never turns an answer into a refusal, and never changes the answer (L20). *)
  Theorem more_scopes_keep_answers : forall cat granted more now lifetime credentials q,
    incl granted more ->
    (forall uncovered, evaluate cat granted now lifetime credentials q <> Refused uncovered) ->
    evaluate cat more now lifetime credentials q = evaluate cat granted now lifetime credentials q.
  Proof.
    intros cat granted more now lifetime credentials q Hincl Hanswer. unfold evaluate in *.
    destruct (missing cat granted (query_paths q)) as [| entry rest] eqn:Hmissing.
    - pose proof (more_scopes_cover_more cat granted more (query_paths q) Hincl) as Hmore.
      rewrite Hmissing in Hmore.
      destruct (missing cat more (query_paths q)) as [| entry rest]; [reflexivity |].
      exfalso. exact (Hmore entry (or_introl eq_refl)).
    - exfalso. exact (Hanswer (entry :: rest) eq_refl).
  Qed.

  (** A refusal depends on the query, the catalogue and the scopes only: it is the same whatever claims are defined, and
      at every instant (L20). *)
  Theorem refusals_do_not_depend_on_claims :
    forall cat granted now now' lifetime credentials others q uncovered,
    evaluate cat granted now lifetime credentials q = Refused uncovered ->
    evaluate cat granted now' lifetime others q = Refused uncovered.
  Proof.
    intros cat granted now now' lifetime credentials others q uncovered. unfold evaluate.
    destruct (missing cat granted (query_paths q)); [| auto].
    destruct q; discriminate.
  Qed.

  (** An answer reads covered claims only: every claim path of the query is covered by the granted scopes (L20). *)
  Theorem answers_read_covered_claims_only : forall cat granted now lifetime credentials q,
    (forall uncovered, evaluate cat granted now lifetime credentials q <> Refused uncovered) ->
    forall p, In p (query_paths q) -> is_covered cat granted p = true.
  Proof.
    intros cat granted now lifetime credentials q Hanswer p Hp. unfold evaluate in Hanswer.
    destruct (is_covered cat granted p) eqn:Hcovered; [reflexivity | exfalso].
    assert (Hmissing : In (p, covering cat p) (missing cat granted (query_paths q))).
    { unfold missing. apply in_map_iff. exists p. split; [reflexivity |].
      apply filter_In. rewrite Hcovered. auto. }
    destruct (missing cat granted (query_paths q)) as [| entry rest]; [contradiction |].
    exact (Hanswer (entry :: rest) eq_refl).
  Qed.

  Lemma evaluate_claims_ext : forall now lifetime find other q,
    (forall p, find p = other p) -> evaluate_claims now lifetime find q = evaluate_claims now lifetime other q.
  Proof.
    intros now lifetime find other q Hsame. unfold evaluate_claims.
    assert (Hexpiry : forall paths, expiry now lifetime find paths = expiry now lifetime other paths).
    { intros paths. unfold expiry.
      rewrite (map_ext (fun p => match find p with Some f => expires_at (attested_by f) | None => None end)
                       (fun p => match other p with Some f => expires_at (attested_by f) | None => None end));
        [reflexivity |].
      intros p. rewrite Hsame. reflexivity. }
    assert (Henv : forall p, environment_of find p = environment_of other p).
    { intros p. unfold environment_of. rewrite Hsame. reflexivity. }
    rewrite Hexpiry. destruct q as [i | projections]; f_equal.
    - apply only_named_claims_matter. intros c _. apply Henv.
    - apply flat_map_ext. intros p. rewrite Hsame. reflexivity.
    - apply map_ext. intros c. unfold holds. rewrite Henv. reflexivity.
    - apply map_ext. intros p. rewrite Hsame. reflexivity.
    - apply flat_map_ext. intros p. rewrite Hsame. reflexivity.
  Qed.

  (** The order of the credentials has no effect on the result, evidence included (L11, L24). *)
  Theorem results_do_not_depend_on_the_order_of_credentials :
    forall cat granted now lifetime credentials others q,
    NoDup (map id credentials) -> Permutation credentials others ->
    evaluate cat granted now lifetime credentials q = evaluate cat granted now lifetime others q.
  Proof.
    intros cat granted now lifetime credentials others q Hdistinct Hperm. unfold evaluate.
    destruct (missing cat granted (query_paths q)); [| reflexivity].
    apply evaluate_claims_ext. intros p. apply order_of_credentials_is_irrelevant.
    - clear Hperm. unfold active. induction credentials as [| c rest IH]; simpl; [constructor |].
      inversion Hdistinct as [| ? ? Hnotin Hrest]; subst.
      destruct (is_active now c); simpl; auto. constructor; auto.
      intros H. apply Hnotin. apply in_map_iff in H as [d [Hid Hd]].
      apply filter_In in Hd as [Hd _]. rewrite <- Hid. exact (in_map id rest d Hd).
    - unfold active. clear Hdistinct.
      induction Hperm as [| c l m Hperm IH | c d l | l m n Hlm IHlm Hmn IHmn]; simpl; auto.
      + destruct (is_active now c); auto.
      + destruct (is_active now c), (is_active now d); auto using perm_swap.
      + exact (Permutation_trans IHlm IHmn).
  Qed.

  (** The result expires no later than any credential that attests a claim of the query (L22). *)
  Theorem results_expire_with_their_credentials : forall now lifetime find paths p f instant,
    In p paths -> find p = Some f -> expires_at (attested_by f) = Some instant ->
    expiry now lifetime find paths <= instant.
  Proof.
    intros now lifetime find paths p f instant Hp Hf Hinstant. unfold expiry.
    assert (Hearliest : exists earliest,
      fold_right earlier None
        (map (fun p => match find p with Some f => expires_at (attested_by f) | None => None end) paths)
        = Some earliest /\ earliest <= instant).
    { induction paths as [| q paths IH]; [contradiction |]. simpl.
      destruct Hp as [-> | Hp].
      - rewrite Hf, Hinstant. simpl. destruct (fold_right _ _ _) as [later |];
          eexists; split; try reflexivity; auto using Z.le_min_l, Z.le_refl.
      - destruct (IH Hp) as [earliest [-> Hle]].
        destruct (match find q with Some g => expires_at (attested_by g) | None => None end) as [first |]; simpl.
        + exists (Z.min first earliest). split; [reflexivity |].
          apply (Z.le_trans _ earliest); auto using Z.le_min_r.
        + exists earliest. auto. }
    destruct Hearliest as [earliest [-> Hle]].
    apply (Z.le_trans _ earliest); auto using Z.le_min_l.
  Qed.
End Evaluation.
