import { nearestOf } from '../../../common/nearest-word';

describe('the word that a mistyped one stands for', () => {
  const known = ['incast', 'single-flow', 'tcp', 'parking-lot'];
  test.each([
    ['incst', 'incast'],
    ['singleflow', 'single-flow'],
    ['park', 'parking-lot'],
    ['tpc', 'tcp'],
    ['something-else', undefined],
  ])('%s: %s', (word, wanted) => {
    expect(nearestOf(word, known)).toBe(wanted);
  });
});
