/** The worked policies: one press puts one into the editor. */
import type { WorkedPolicy } from '../model/gallery.js';

interface GalleryProps {
  readonly policies: readonly WorkedPolicy[];
  /** What stands in the editor: the policy whose text that is has been chosen. */
  readonly text: string;
  readonly onChoose: (policy: WorkedPolicy) => void;
}

/** A row of them; on a phone it is pushed sideways. */
export function Gallery({ policies, text, onChoose }: GalleryProps) {
  return (
    <section class="gallery" aria-label="Worked policies">
      {policies.map((policy) => (
        <button
          key={policy.id}
          type="button"
          class="worked"
          aria-pressed={policy.text === text}
          onClick={() => onChoose(policy)}
        >
          <strong>{policy.title}</strong>
          <span class="quiet small">{policy.about}</span>
        </button>
      ))}
    </section>
  );
}
