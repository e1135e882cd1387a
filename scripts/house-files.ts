/** What rules of the house read: files, and which of their text counts. */
export interface SourceFile {
  path: string
  text: string
}

export const isTest = (path: string): boolean => /\.(?:test|spec)\.tsx?$|\/testing\//.test(path)
export const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|[^:'"`\\])\/\/.*$/gm, '$1')
