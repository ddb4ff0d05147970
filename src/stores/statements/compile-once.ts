/** Statements that are built once and run often: building one costs more than SQLite takes to run it (V12). */
import type { Compilable, CompiledQuery } from 'kysely';

/** Stands in a statement where a value will. */
class Place<Name> {
  readonly name: Name;

  constructor(name: Name) {
    this.name = name;
  }
}

/**
 * Builds a statement with places for its values.
 *
 * @param build - Is given the members of `Values`, each of which it may put where a value goes, and look at no further.
 * @returns The statement with values in their places.
 */
export function compileOnce<Values extends object, Row>(
  build: (places: Values) => Compilable<Row>,
): (values: Values) => CompiledQuery<Row> {
  const places = new Proxy({}, { get: (_target, name) => new Place(name) }) as Values;
  const compiled = build(places).compile();
  return (values) => ({
    ...compiled,
    parameters: compiled.parameters.map((parameter) =>
      parameter instanceof Place ? values[parameter.name as keyof Values] : parameter,
    ),
  });
}
