import * as fs from 'node:fs';
import { API_PAGE, apiPage, apiParts, unnameable } from './api-page';

describe('the page of the library', () => {
  test('says what the declarations say; otherwise npm run api writes it again', () => {
    expect(apiPage()).toBe(fs.readFileSync(API_PAGE, 'utf8'));
  });

  test('says of every name what it is', () => {
    const silent = apiParts().flatMap(({ name: part, declarations }) =>
      declarations.filter(({ comment }) => comment === '').map(({ name }) => `${part}: ${name}`),
    );
    expect(silent).toEqual([]);
  });

  test('has a name for every type that it mentions', () => {
    expect(apiParts().flatMap(unnameable)).toEqual([]);
  });
});
