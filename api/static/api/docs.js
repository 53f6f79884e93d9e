"use strict";

// Shows the API by Swagger UI. "Try it out" works with a token or, when logged in, with the login session.
const place = document.getElementById("docs");

SwaggerUIBundle({
  url: place.dataset.schema,
  domNode: place,
  deepLinking: true,
  // Both would take seconds to draw: the list of all shapes, which stand at their operations anyway, and coloured JSON.
  defaultModelsExpandDepth: -1,
  syntaxHighlight: { activated: false },
  validatorUrl: null,
  requestInterceptor: (request) => {
    if (request.method !== "GET") {
      request.headers["X-CSRFToken"] = place.dataset.csrf;
    }
    return request;
  },
});
