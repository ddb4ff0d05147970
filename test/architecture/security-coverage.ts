/** `npm run check -- security-coverage`: counts the security requirements that tests cite, and lists the reasons for the others. */
import { citedRequirements, NOT_CITED, SUBJECTS } from './security-requirements.js';

const cited = citedRequirements();
let gaps = 0;

for (const [first, last, subject] of SUBJECTS) {
  const numbers = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const citedHere = numbers.filter((number) => cited.has(number));
  process.stdout.write(`\n${subject}: ${citedHere.length} of ${numbers.length} cited by tests\n`);
  for (const number of numbers) {
    if (cited.has(number)) continue;
    const reason = NOT_CITED[number];
    if (reason === undefined) gaps += 1;
    process.stdout.write(`  S${number}  ${reason ?? 'NO TEST AND NO REASON'}\n`);
  }
}

process.stdout.write(
  `\n${cited.size} requirements are cited by tests. Not cited: ${Object.keys(NOT_CITED).length} with a reason, ${gaps} without one.\n`,
);
process.exitCode = gaps === 0 ? 0 : 1;
