/** The package entry `proviso/workers`: `evaluateMany` across worker threads of Node (V14). */
export { ColumnWorkers, type ColumnWorkersOptions, type EvaluateOnThreadsOptions } from './column-workers.js';
