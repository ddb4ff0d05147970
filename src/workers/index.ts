/** One policy about many people, on several threads at once: `evaluateMany` across worker threads of Node (V14). */
export { ColumnWorkers, type ColumnWorkersOptions, type EvaluateOnThreadsOptions } from './column-workers.js';
