/** Store port of answers about claims with an inference bound. */

/** Identifies the answers that the applications of an organization have received about a person. */
export interface InferenceKey {
  readonly organizationId: string;
  readonly userId: string;
}

/** Recorded answers. */
export interface InferenceRecord {
  /** Increases with each change. */
  readonly version: number;
  /** A JSON text, which only the service interprets. */
  readonly answers: string;
}

/** Recorded answers that the applications of an organization have received about a person. */
export interface OrganizationInference {
  readonly organizationId: string;
  /** A JSON text, which only the service interprets. */
  readonly answers: string;
}

/** Stores answers about claims with an inference bound. They are kept when grants end, so that an application cannot start anew. */
export interface InferenceStore {
  /** Finds the recorded answers; `undefined` if there are none. */
  findInference(key: InferenceKey): Promise<InferenceRecord | undefined>;

  /** Lists the recorded answers about a person, by organization. */
  listInference(userId: string): Promise<readonly OrganizationInference[]>;

  /**
   * Replaces the recorded answers if they have not changed since they were read; of concurrent calls with one version exactly one succeeds.
   *
   * @param version - The version that was read; `undefined` if there was none.
   * @returns Whether they were replaced.
   */
  replaceInference(key: InferenceKey, version: number | undefined, answers: string): Promise<boolean>;
}
