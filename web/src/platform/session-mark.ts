// Runs in the head before anything is painted: a stored token marks the document, so that the style sheet keeps the
// account's place free and hides what is for guests only; and so does the light somebody chose. It must stay as small and as old-fashioned as it is.
export const sessionMarkScript =
  'var d=document.documentElement.dataset;try{d.session=localStorage.getItem("AuthToken")?"user":"guest";var l=localStorage.getItem("light");if(l=="light"||l=="dark")d.theme=l}catch(e){d.session="guest"}'
