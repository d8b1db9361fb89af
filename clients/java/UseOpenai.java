import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.core.JsonValue;
import com.openai.core.http.StreamResponse;
import com.openai.errors.BadRequestException;
import com.openai.errors.NotFoundException;
import com.openai.errors.UnauthorizedException;
import com.openai.helpers.ChatCompletionAccumulator;
import com.openai.helpers.ResponseAccumulator;
import com.openai.models.chat.completions.ChatCompletion;
import com.openai.models.chat.completions.ChatCompletionChunk;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.chat.completions.ChatCompletionStreamOptions;
import com.openai.models.embeddings.EmbeddingCreateParams;
import com.openai.models.files.FileCreateParams;
import com.openai.models.files.FilePurpose;
import com.openai.models.responses.Response;
import com.openai.models.responses.ResponseCreateParams;
import com.openai.models.responses.ResponseStreamEvent;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** OpenAI's own package for Java at both doors: chats, responses, functions, files, vectors and errors. */
public class UseOpenai {
  interface Case {
    void run() throws Exception;
  }

  /** The sandbox, or a live workspace whose model follows a script. */
  record Door(String name, String key, String model) {
    static Door of(String name) throws Exception {
      JsonNode given = new ObjectMapper().readTree(System.getenv("ATRIUM_" + name.toUpperCase()));
      return new Door(name, given.get("key").asText(), given.get("model").asText());
    }

    boolean isSandbox() {
      return name.equals("sandbox");
    }

    String saying() {
      return isSandbox() ? "sim:output=" + WORDS : "Tell a story.";
    }

    String calling() {
      return isSandbox() ? "sim:tool=get_weather({\"city\": \"Paris\"}) How is the weather?" : "How is the weather?";
    }
  }

  static final String WORDS = "Once upon a time there was a goose.";
  static final Map<String, ?> CITY = Map.of(
      "type", "object",
      "properties", Map.of("city", Map.of("type", "string")),
      "required", List.of("city"),
      "additionalProperties", false);
  static int passed;
  static int failed;

  static void test(String title, Case work) {
    try {
      work.run();
      passed++;
      System.out.println("ok   " + title);
    } catch (Throwable error) {
      failed++;
      System.out.println("FAIL " + title + " | " + error);
    }
  }

  static void equal(Object found, Object expected) {
    if (!expected.equals(found)) throw new AssertionError(found + " instead of " + expected);
  }

  static <E extends Throwable> void raises(Class<E> kind, Case work) throws Exception {
    try {
      work.run();
    } catch (Throwable error) {
      if (kind.isInstance(error)) return;
      throw new AssertionError(error + " instead of " + kind.getSimpleName());
    }
    throw new AssertionError("no " + kind.getSimpleName());
  }

  static OpenAIClient connect(String key) {
    return OpenAIOkHttpClient.builder()
        .baseUrl(System.getenv("ATRIUM_ORIGIN") + "/v1")
        .apiKey(key)
        .maxRetries(0)
        .build();
  }

  static ChatCompletionCreateParams.Builder chat(Door door, String prompt) {
    return ChatCompletionCreateParams.builder().model(door.model()).addUserMessage(prompt);
  }

  static String textOf(Response response) {
    return response.output().stream()
        .flatMap(item -> item.message().stream())
        .flatMap(message -> message.content().stream())
        .flatMap(part -> part.outputText().stream())
        .map(part -> part.text())
        .collect(Collectors.joining());
  }

  static void tryChat(Door door) {
    OpenAIClient client = connect(door.key());
    List<?> tools = List.of(
        Map.of("type", "function", "function", Map.of("name", "get_weather", "parameters", CITY)));

    test(door.name() + ": models are listed", () -> equal(client.models().list().data().isEmpty(), false));

    test(door.name() + ": a chat answers", () -> {
      ChatCompletion answer = client.chat().completions().create(chat(door, door.saying()).build());
      equal(answer.choices().get(0).message().content().orElse(""), WORDS);
      equal(answer.usage().orElseThrow().totalTokens() > 0, true);
    });

    test(door.name() + ": a chat streams, with its usage", () -> {
      ChatCompletionAccumulator all = ChatCompletionAccumulator.create();
      ChatCompletionCreateParams asked = chat(door, door.saying())
          .streamOptions(ChatCompletionStreamOptions.builder().includeUsage(true).build())
          .build();
      try (StreamResponse<ChatCompletionChunk> stream = client.chat().completions().createStreaming(asked)) {
        stream.stream().forEach(all::accumulate);
      }
      equal(all.chatCompletion().choices().get(0).message().content().orElse(""), WORDS);
      equal(all.chatCompletion().usage().isPresent(), true);
    });

    test(door.name() + ": a call of a function streams", () -> {
      ChatCompletionCreateParams asked =
          chat(door, door.calling()).putAdditionalBodyProperty("tools", JsonValue.from(tools)).build();
      StringBuilder text = new StringBuilder();
      try (StreamResponse<ChatCompletionChunk> stream = client.chat().completions().createStreaming(asked)) {
        stream.stream()
            .flatMap(chunk -> chunk.choices().stream())
            .flatMap(choice -> choice.delta().toolCalls().stream().flatMap(List::stream))
            .flatMap(call -> call.function().stream())
            .forEach(function -> text.append(function.arguments().orElse("")));
      }
      equal(text.toString().replace(" ", ""), "{\"city\":\"Paris\"}");
    });
  }

  static void tryResponses(Door door) {
    OpenAIClient client = connect(door.key());
    ResponseCreateParams asked =
        ResponseCreateParams.builder().model(door.model()).input(door.saying()).build();

    test(door.name() + ": a response answers", () -> equal(textOf(client.responses().create(asked)), WORDS));

    test(door.name() + ": a response streams", () -> {
      ResponseAccumulator all = ResponseAccumulator.create();
      try (StreamResponse<ResponseStreamEvent> stream = client.responses().createStreaming(asked)) {
        stream.stream().forEach(all::accumulate);
      }
      equal(textOf(all.response()), WORDS);
    });

    test(door.name() + ": a response is retrieved and deleted", () -> {
      Response response = client.responses().create(asked);
      equal(textOf(client.responses().retrieve(response.id())), WORDS);
      client.responses().delete(response.id());
      raises(NotFoundException.class, () -> client.responses().retrieve(response.id()));
    });
  }

  static void tryFilesAndErrors(Door door) {
    OpenAIClient client = connect(door.key());

    test(door.name() + ": a file is created, read and deleted", () -> {
      var file = client.files().create(FileCreateParams.builder()
          .purpose(FilePurpose.ASSISTANTS)
          .file(new java.io.ByteArrayInputStream("The moon is made of basalt.".getBytes()))
          .build());
      try (var content = client.files().content(file.id())) {
        equal(new String(content.body().readAllBytes()), "The moon is made of basalt.");
      }
      equal(client.files().delete(file.id()).deleted(), true);
    });

    test(door.name() + ": errors are typed", () -> {
      raises(NotFoundException.class, () -> client.chat().completions()
          .create(ChatCompletionCreateParams.builder().model("nope").addUserMessage("x").build()));
      raises(BadRequestException.class, () -> client.chat().completions().create(chat(door, "x").n(2).build()));
      raises(UnauthorizedException.class,
          () -> connect("sk_test_bad").chat().completions().create(chat(door, "x").build()));
    });
  }

  public static void main(String[] words) throws Exception {
    Door live = Door.of("live");
    for (Door door : List.of(Door.of("sandbox"), live)) {
      tryChat(door);
      tryResponses(door);
      tryFilesAndErrors(door);
    }
    test("live: texts are embedded", () -> {
      var data = connect(live.key()).embeddings()
          .create(EmbeddingCreateParams.builder()
              .model("openai/test-embedding")
              .inputOfArrayOfStrings(List.of("a", "b"))
              .build())
          .data();
      equal(data.size(), 2);
      equal(data.get(0).embedding().size(), data.get(1).embedding().size());
    });
    System.out.println(passed + " passed, " + failed + " failed");
    System.exit(failed == 0 ? 0 : 1);
  }
}
