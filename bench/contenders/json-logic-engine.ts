/** json-logic-engine: JsonLogic, compiled to JavaScript or interpreted. */
import { LogicEngine } from 'json-logic-engine';
import { createFlatObjectContender, versionOf } from './contender.js';
import { matchRegex, startsWith, toJsonLogic } from './json-logic.js';

const engine = new LogicEngine();
engine.addMethod('startsWith', (args: readonly [string, string]) => startsWith(...args), {
  deterministic: true,
});
engine.addMethod('matchRegex', (args: readonly [string, string]) => matchRegex(...args), {
  deterministic: true,
});

const version = versionOf('json-logic-engine');

export const jsonLogicEngineCompiled = createFlatObjectContender(
  { name: 'json-logic-engine, compiled', version },
  toJsonLogic,
  (logic) => {
    const passes = engine.build(logic as never) as (claims: unknown) => unknown;
    return (claims) => passes(claims) === true;
  },
);

const interpreted = createFlatObjectContender(
  { name: 'json-logic-engine, interpreted', version },
  toJsonLogic,
  (logic) => (claims) => engine.run(logic as never, claims) === true,
);

// Without `prepareCompilation`: the interpreter does not compile, and repeated runs of one query object would use its cache.
export const jsonLogicEngineInterpreted = (({ prepareCompilation: _, ...rest }) => rest)(interpreted);
