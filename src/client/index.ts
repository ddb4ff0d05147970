/** A typed client of the service, for Node and browsers: authorization, token refresh, queries. */
export type { Access, EvidenceOptions, GrantListOptions } from './access.js';
export type {
  AuthorizationOptions,
  AuthorizationRequest,
  ConditionRequest,
  PendingAuthorization,
} from './authorization.js';
export { type Client, createClient, type PersonSelector, type RedeemOptions } from './client.js';
export {
  ClientError,
  type ClientErrorCode,
  type ClientErrorDetails,
  type LocalErrorCode,
} from './client-error.js';
export type { CallOptions } from './connection.js';
export type {
  Credential,
  Grant,
  ListOptions,
  Page,
  PresetBatchResult,
  PresetDescriptor,
  PresetError,
  PresetResult,
  RevocationResult,
  UserInfo,
} from './resources.js';
export type { ClientSettings, Fetch, SigningKey } from './settings.js';
export { type GrantedCondition, inMemoryTokens, type TokenStorage, type Tokens } from './tokens.js';
