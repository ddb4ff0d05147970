/** The package entry `proviso/codegen`: source text of standalone modules that test one query. */
export {
  type GeneratedModule,
  type GenerateOptions,
  generateModule,
  MODULE_FORMATS,
  type ModuleFormat,
} from './generate-module.js';
