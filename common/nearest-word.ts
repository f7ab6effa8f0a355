/** The known word that a mistyped one most probably stands for; undefined when none is near. */
export function nearestOf(word: string, known: readonly string[]): string | undefined {
  const limit = Math.max(2, Math.floor(word.length / 3));
  const ranked = known
    .map((candidate) => ({ candidate, distance: distanceOf(word, candidate) }))
    .filter(({ candidate, distance }) => distance <= limit || candidate.startsWith(word))
    .sort((a, b) => a.distance - b.distance);
  return ranked[0]?.candidate;
}

/** Levenshtein's distance: single letters that are added, removed or replaced. */
function distanceOf(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(replaced, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    above = row;
  }
  return above[b.length] ?? 0;
}

/** ` (did you mean WORD?)` where a known word is near, else nothing. */
export function didYouMean(word: string, known: readonly string[]): string {
  const near = nearestOf(word, known);
  return near === undefined ? '' : ` (did you mean ${near}?)`;
}
