/** All contenders, in the order of the results. The first is the baseline. */
import { ajv } from './ajv.js';
import { casl } from './casl.js';
import { cedar } from './cedar.js';
import { celJs } from './cel-js.js';
import type { Contender } from './contender.js';
import { exprEval } from './expr-eval.js';
import { filtrex } from './filtrex.js';
import { generated } from './generated.js';
import { generatedEvidence } from './generated-evidence.js';
import { generatedModuleEvaluate, generatedModuleTest } from './generated-module.js';
import { handWritten, handWrittenInlined } from './hand-written.js';
import { jsonLogicEngineCompiled, jsonLogicEngineInterpreted } from './json-logic-engine.js';
import { jsonLogicJs } from './json-logic-js.js';
import { jsonRulesEngine } from './json-rules-engine.js';
import { mingo } from './mingo.js';
import { provisoBytes, provisoEvaluate, provisoTest, stringifyAlone } from './proviso.js';
import { sift } from './sift.js';
import { ucast } from './ucast.js';
import { zenEngine } from './zen-engine.js';

export const CONTENDERS: readonly Contender[] = [
  handWritten,
  handWrittenInlined,
  generated,
  generatedModuleTest,
  generatedModuleEvaluate,
  provisoTest,
  provisoEvaluate,
  generatedEvidence,
  provisoBytes,
  stringifyAlone,
  jsonLogicEngineCompiled,
  jsonLogicEngineInterpreted,
  jsonLogicJs,
  ajv,
  filtrex,
  exprEval,
  celJs,
  cedar,
  sift,
  mingo,
  ucast,
  casl,
  jsonRulesEngine,
  zenEngine,
];
