/** The worked policies: one press puts one into the editor. */
import type { WorkedPolicy } from '../model/gallery.js';

interface GalleryProps {
  readonly policies: readonly WorkedPolicy[];
  /** The id of the one that stands in the editor; `undefined` where none does. */
  readonly chosen: string | undefined;
  readonly onChoose: (policy: WorkedPolicy) => void;
}

/** A row of them; on a phone it is pushed sideways. */
export function Gallery({ policies, chosen, onChoose }: GalleryProps) {
  return (
    <section class="gallery" aria-label="Worked policies">
      {policies.map((policy) => (
        <button
          key={policy.id}
          type="button"
          class="worked"
          aria-pressed={policy.id === chosen}
          onClick={() => onChoose(policy)}
        >
          <strong>{policy.title}</strong>
          <span class="quiet small">{policy.about}</span>
        </button>
      ))}
    </section>
  );
}
