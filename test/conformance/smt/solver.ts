/** One long-lived process of an SMT solver, asked over pipes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { PREAMBLE } from './translate.js';

export const SOLVER_NAMES = ['z3', 'cvc5'] as const;

export type SolverName = (typeof SOLVER_NAMES)[number];

/** `unknown` also when the time limit is exceeded. */
export type SolverAnswer = 'sat' | 'unsat' | 'unknown';

const ARGUMENTS: Readonly<Record<SolverName, (timeoutMs: number) => readonly string[]>> = {
  z3: (timeoutMs) => ['-in', '-smt2', `-t:${timeoutMs}`],
  cvc5: (timeoutMs) => ['--lang=smt2', '--incremental', '--strings-exp', `--tlimit-per=${timeoutMs}`, '-q'],
};

/** Number of scripts after which a new process starts, since solvers keep some memory of each script. */
const SCRIPTS_PER_PROCESS = 1_000;
/** Time after which a process that does not stop by itself is killed, in units of its limit per answer. */
const PATIENCE = 20;

interface Pending {
  readonly script: string;
  readonly answers: SolverAnswer[];
  readonly count: number;
  readonly resolve: (answers: readonly SolverAnswer[]) => void;
  readonly reject: (error: Error) => void;
}

/** Answers scripts in the order of their arrival. */
export class Solver {
  readonly name: SolverName;
  readonly #timeoutMs: number;
  readonly #pending: Pending[] = [];
  #process: ChildProcess | undefined;
  #sent = 0;
  #watchdog: NodeJS.Timeout | undefined;

  constructor(name: SolverName, timeoutMs: number) {
    this.name = name;
    this.#timeoutMs = timeoutMs;
  }

  /** Runs a script with `count` commands `(check-sat)`, and returns their answers. Rejects with an `Error` if the solver reports one or cannot start. */
  ask(script: string, count: number): Promise<readonly SolverAnswer[]> {
    return new Promise((resolve, reject) => {
      this.#pending.push({ script, answers: [], count, resolve, reject });
      if (this.#pending.length === 1) this.#send();
    });
  }

  close(): void {
    clearTimeout(this.#watchdog);
    this.#process?.removeAllListeners();
    this.#process?.kill('SIGKILL');
    this.#process = undefined;
  }

  #send(): void {
    const [next] = this.#pending;
    if (next === undefined) return;
    if (this.#sent === SCRIPTS_PER_PROCESS) this.close();
    this.#process ??= this.#start();
    this.#sent += 1;
    this.#watchdog = setTimeout(() => this.#giveUp(), this.#timeoutMs * PATIENCE);
    this.#process.stdin?.write(`(push 1)\n${next.script}\n(pop 1)\n(echo "answered")\n`);
  }

  #start(): ChildProcess {
    this.#sent = 0;
    const child = spawn(this.name, ARGUMENTS[this.name](this.#timeoutMs), {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    child.once('exit', () => this.#giveUp());
    child.once('error', (error) => this.#fail(error));
    child.stdin?.on('error', () => undefined);
    child.stdin?.write(`${PREAMBLE.join('\n')}\n`);
    if (child.stdout !== null)
      createInterface(child.stdout).on('line', (line) => {
        // A process that was killed may have printed more.
        if (child === this.#process) this.#read(line);
      });
    return child;
  }

  #read(line: string): void {
    const [current] = this.#pending;
    if (current === undefined) return;
    if (line === 'sat' || line === 'unsat') current.answers.push(line);
    else if (line === 'unknown' || line === 'timeout') current.answers.push('unknown');
    else if (line.replaceAll('"', '') === 'answered') {
      clearTimeout(this.#watchdog);
      this.#pending.shift();
      current.resolve(current.answers);
      this.#send();
    } else if (line.startsWith('(error')) {
      this.#fail(new Error(`${this.name} rejects a formula: ${line}\n${current.script}`));
    }
  }

  /** Ends the process, rejects the current script, and continues with the next. */
  #fail(error: Error): void {
    this.close();
    this.#pending.shift()?.reject(error);
    this.#send();
  }

  /** Ends a process that has exited or does not answer in time; its missing answers count as `unknown`. */
  #giveUp(): void {
    this.close();
    const current = this.#pending.shift();
    if (current === undefined) return;
    const missing = new Array<SolverAnswer>(current.count - current.answers.length).fill('unknown');
    current.resolve([...current.answers, ...missing]);
    this.#send();
  }
}
