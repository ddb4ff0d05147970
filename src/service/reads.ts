/** The use cases that show something of people and change nothing: what an audit log has to tell of. */
import type { AudienceRequest, EvaluatedAudience } from './audiences/evaluate-audience.js';
import type { CredentialView, ListRequest } from './credentials/list-credentials.js';
import type { Page } from './paging.js';
import type { PresetOutcome } from './presets/resolve-presets.js';
import type { QueryRequest } from './queries/compiled-query-cache.js';
import type { WorkMeter } from './rate-limits/work-meter.js';
import type { Grant } from './tokens/authenticate-bearer.js';
import type { UserInfo } from './user-info.js';

/** Every method throws `ServiceError` where it refuses, and rejects with `StoreUnavailable` where the store does. */
export interface Reads {
  /**
   * Answers a query about the person who gave a grant, as JSON. `invalid_query`, `query_too_large`, `insufficient_scope`
   *
   * @param meter - Measures the synchronous work, so that it can be charged to the caller.
   */
  answerQuery(request: QueryRequest, grant: Grant, meter?: WorkMeter): Promise<string>;
  /** Answers presets about that person, each on its own: errors stand beside the answers. */
  resolvePresets(
    names: readonly string[],
    grant: Grant,
    meter?: WorkMeter,
  ): Promise<readonly PresetOutcome[]>;
  readUserInfo(grant: Grant): Promise<UserInfo>;
  /** That person's own credentials, as far as the scopes cover them. `insufficient_scope`, `cursor_invalid` */
  listCredentials(request: ListRequest, grant: Grant): Promise<Page<CredentialView>>;
  /** Who of an application's people satisfies a policy, some people at a time. `not_found`, `invalid_query`, `query_too_large` */
  evaluateAudience(request: AudienceRequest): Promise<EvaluatedAudience>;
}
