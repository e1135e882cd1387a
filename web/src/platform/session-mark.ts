// Runs in the head before anything is painted: a stored token marks the document, so that the style sheet keeps the
// account's place free and hides what is for guests only. It must stay as small and as old-fashioned as it is.
export const sessionMarkScript =
  'try{document.documentElement.dataset.session=localStorage.getItem("AuthToken")?"user":"guest"}catch(e){document.documentElement.dataset.session="guest"}'
