/** A sentence of the engine's, in which what stands in backticks is code. */

const CODE = /`([^`]*)`/;

/** The sentence; whatever it quotes is text. */
export function Message({ text }: { readonly text: string }) {
  // Between every two pieces of prose stands what was in backticks.
  return (
    <bdi>
      {text.split(CODE).map((piece, place) => (place % 2 === 0 ? piece : <code key={place}>{piece}</code>))}
    </bdi>
  );
}
