// Where the content of a page begins, after its header: focus goes there, and a page is shown once it has come that far.
export const contentId = 'content'
