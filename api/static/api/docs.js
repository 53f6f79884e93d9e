"use strict";

// Shows the API by Swagger UI. "Try it out" works with a token or, when logged in, with the login session.
const place = document.getElementById("docs");

// What Swagger UI leaves out for those who hear or type: a head, a heading above the operations, and no link within the
// button that opens an operation (which sets the same address).
const spoken = () => ({
  wrapComponents: {
    InfoContainer: (Original, { React }) => (props) =>
      React.createElement("header", { role: "banner" }, React.createElement(Original, props)),
    operations: (Original, { React }) => (props) =>
      React.createElement(
        React.Fragment,
        null,
        React.createElement("h2", { className: "unseen" }, place.dataset.heading),
        React.createElement(Original, props),
      ),
    DeepLink: (_Original, { React }) => (props) => React.createElement("span", null, props.text),
  },
});

SwaggerUIBundle({
  url: place.dataset.schema,
  domNode: place,
  deepLinking: true,
  // Folded: all operations at once are more than a reader looks for, or a browser draws.
  docExpansion: "none",
  plugins: [spoken],
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
