/** The engine behind the interface of an implementation under test: JSON in, a result or an error out. */
import * as ours from '../../src/engine/index.js';
import type { EvaluateVector, VectorCredential } from '../../src/testing/vector.js';

/** The functions that the evaluator uses, of the engine or of a modified build. */
export type EngineUnderTest = Pick<
  typeof ours,
  'ClaimSet' | 'compile' | 'createScopeCatalogue' | 'parseInstant' | 'QueryError'
>;

/** Evaluates with `evaluate`, `evaluateToJson` and `test`, and throws if their results differ. */
export function engineEvaluator(regex: ours.RegexEngine, engine: EngineUnderTest = ours): EvaluateVector {
  const instant = (text: string): number => {
    const at = engine.parseInstant(text);
    if (at === undefined) throw new Error(`invalid instant: ${text}`);
    return at;
  };
  const toCredential = (credential: VectorCredential): ours.Credential => {
    const { issuedAt, expiresAt, revokedAt, ...rest } = credential;
    return {
      ...rest,
      issuedAt: instant(issuedAt),
      ...(expiresAt === undefined ? {} : { expiresAt: instant(expiresAt) }),
      ...(revokedAt === undefined ? {} : { revokedAt: instant(revokedAt) }),
    };
  };
  return (query, credentials, { scopes, at, catalogue }) => {
    const now = instant(at);
    try {
      const compiled = engine.compile(query, { regex, catalogue: engine.createScopeCatalogue(catalogue) });
      const claims = engine.ClaimSet.at(credentials.map(toCredential), now);
      const result = compiled.evaluate(claims, { now, scopes });
      if (result.type === 'predicate' && compiled.test(claims) !== result.passed) {
        throw new Error('`test` and `evaluate` contradict each other');
      }
      // Twice, since the second run uses cached JSON.
      const texts = [
        compiled.evaluateToJson(claims, { now, scopes }),
        compiled.evaluateToJson(claims, { now, scopes }),
      ];
      if (texts.some((text) => text !== JSON.stringify(result))) {
        throw new Error('`evaluateToJson` and `evaluate` contradict each other');
      }
      return { result };
    } catch (error) {
      if (error instanceof engine.QueryError) return { error };
      throw error;
    }
  };
}
