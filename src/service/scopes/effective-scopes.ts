/** What a grant is good for now: scopes that the operator withdrew from the application no longer count. */
import type { Application } from '../clients/application.js';
import type { Environment } from '../environment.js';
import { isSandboxApplication } from '../sandbox/applications.js';

/** The application, as far as it decides on scopes. */
type ScopeHolder = Pick<Application, 'clientId' | 'scopes'>;

/**
 * The granted scopes that the application may still request, in their order. Scopes are compared by name: what a withdrawn scope implied
 * goes with it. Returns the same array where nothing was withdrawn.
 */
export function effectiveScopes(
  granted: readonly string[],
  application: ScopeHolder,
  environment: Environment,
): readonly string[] {
  const isEffective = (scope: string) => mayRequest(scope, application, environment);
  return granted.every(isEffective) ? granted : granted.filter(isEffective);
}

/** The scopes that an application may have; `undefined` for all of the catalogue, as the sandbox's own applications may. */
export function allowedScopes(
  application: ScopeHolder,
  environment: Environment,
): readonly string[] | undefined {
  return environment.seeded && isSandboxApplication(application) ? undefined : application.scopes;
}

/** Whether the application may request a scope of the catalogue. */
export function mayRequest(scope: string, application: ScopeHolder, environment: Environment): boolean {
  return allowedScopes(application, environment)?.includes(scope) ?? true;
}
