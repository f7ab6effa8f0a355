import { apiParts, unnameable } from './declarations';

describe('the library', () => {
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
