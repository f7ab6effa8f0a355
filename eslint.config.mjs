import tseslint from 'typescript-eslint';

export default tseslint.config(
  {
    ignores: [
      ...['build*/**', 'out/**', 'node_modules/**', 'examples/**'],
      ...['common/p4runtime/generated/**', 'common/thrift/generated/**'],
    ],
  },
  ...tseslint.configs.strictTypeChecked,
  {
    files: ['**/*.{ts,tsx}'],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // Naming a property is how the rest goes on without it.
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
      '@typescript-eslint/no-unnecessary-condition': 'off',
      '@typescript-eslint/no-extraneous-class': 'off',
      'max-lines': ['error', { max: 400 }],
      'max-lines-per-function': ['error', { max: 70, skipBlankLines: true, skipComments: true }],
      'max-params': ['error', 4],
      'no-restricted-syntax': [
        'error',
        { selector: 'TSEnumDeclaration', message: 'Use a union of literals instead of an enum.' },
        { selector: 'ExportDefaultDeclaration', message: 'Use a named export.' },
      ],
      eqeqeq: 'error',
      'prefer-const': 'error',
    },
  },
  {
    // Loads a command when it is wanted; the type of the module is named beside it.
    files: ['cli/command-line.ts', 'cli/study/register.ts'],
    rules: { '@typescript-eslint/no-require-imports': 'off' },
  },
  {
    files: ['test/**/*.ts'],
    rules: { 'max-lines-per-function': 'off' },
  },
  { files: ['**/*.cjs', '**/*.mjs'], ...tseslint.configs.disableTypeChecked },
  {
    // CommonJS has no other way to import.
    files: ['**/*.cjs'],
    rules: { '@typescript-eslint/no-require-imports': 'off' },
  },
);
