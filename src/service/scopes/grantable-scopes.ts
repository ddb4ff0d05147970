/** Which scopes an application may ask people for. */
import type { Application } from '../clients/application.js';
import type { ServiceContext } from '../context.js';
import { mayRequest } from './effective-scopes.js';

/** Those for which it is registered and that the catalogue has; the sandbox's own applications may ask for all that there are. */
export function grantableScopes(
  application: Application,
  { catalogue, environment }: Pick<ServiceContext, 'catalogue' | 'environment'>,
): readonly string[] {
  return catalogue.scopes.scopes.filter((scope) => mayRequest(scope, application, environment));
}
