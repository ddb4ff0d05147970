/** Reads the vector files of this folder from disk. */
import { readdirSync, readFileSync } from 'node:fs';
import { readVectors } from '../../src/testing/read-vectors.js';
import type { Vector } from '../../src/testing/vector.js';

/** A vector file: its name below `v1`, its JSON, and its tests. */
export interface VectorFile {
  readonly name: string;
  readonly json: unknown;
  readonly vectors: readonly Vector[];
}

export const VECTOR_FOLDER = new URL('v1/', import.meta.url);

/** Reads every vector file, in the order of their names. */
export function readVectorFiles(): readonly VectorFile[] {
  return readdirSync(VECTOR_FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json') && name !== 'schema.json')
    .sort()
    .map((name) => {
      const json: unknown = JSON.parse(readFileSync(new URL(name, VECTOR_FOLDER), 'utf8'));
      return { name, json, vectors: readVectors(json) };
    });
}
