// OpenAI's package for Go at /v1, and two readers of event streams at Atrium's own streams.
// Ends with the line "N passed, N failed", which the lane reads.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/responses"
	r3labs "github.com/r3labs/sse/v2"
	tmaxmax "github.com/tmaxmax/go-sse"
)

const words = "Once upon a time there was a goose."

type door struct {
	Name                              string
	Key, Model, AgentId, CollectionId string
}

func (d door) saying() string {
	if d.Name == "sandbox" {
		return "sim:output=" + words
	}
	return "Tell a story."
}

func (d door) calling() string {
	if d.Name == "sandbox" {
		return `sim:tool=get_weather({"city":"Paris"}) How is the weather?`
	}
	return "How is the weather?"
}

var (
	origin         = os.Getenv("ATRIUM_ORIGIN")
	background     = context.Background()
	passed, failed int
)

func doorOf(name string) door {
	d := door{Name: name}
	if err := json.Unmarshal([]byte(os.Getenv("ATRIUM_"+strings.ToUpper(name))), &d); err != nil {
		panic(err)
	}
	return d
}

func try(title string, run func() error) {
	if err := run(); err != nil {
		failed++
		fmt.Println("FAIL", title, err)
		return
	}
	passed++
	fmt.Println("ok  ", title)
}

func equal[T comparable](found, expected T) error {
	if found != expected {
		return fmt.Errorf("%v instead of %v", found, expected)
	}
	return nil
}

// begin starts a run and answers the address of its events.
func begin(d door, prompt string) (string, error) {
	body, err := json.Marshal(map[string]string{"prompt": prompt})
	if err != nil {
		return "", err
	}
	request, err := http.NewRequest("POST", origin+"/api/v1/agents/"+d.AgentId+"/run", bytes.NewReader(body))
	if err != nil {
		return "", err
	}
	request.Header.Set("Authorization", "Bearer "+d.Key)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Prefer", "respond-async")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	var reply struct{ Data struct{ Id string } }
	if err := json.NewDecoder(response.Body).Decode(&reply); err != nil {
		return "", err
	}
	return origin + "/api/v1/runs/" + reply.Data.Id + "/events", nil
}

// told collects the text of a run, and fails at data that is no event.
type told struct {
	text string
	err  error
}

// take answers whether the run has ended.
func (t *told) take(data []byte) bool {
	var event struct{ Type, Text string }
	if err := json.Unmarshal(data, &event); err != nil && t.err == nil {
		t.err = fmt.Errorf("%q: %w", data, err)
	}
	if event.Type == "text.delta" {
		t.text += event.Text
	}
	return event.Type == "run.succeeded"
}

func (t *told) check() error {
	if t.err != nil {
		return t.err
	}
	return equal(t.text, words)
}

func readStreams(d door) {
	// Seventeen seconds of silence have a keep-alive in their middle.
	for _, prompt := range []string{d.saying(), "sim:slow=17s " + d.saying()} {
		try("r3labs/sse: "+prompt, func() error {
			url, err := begin(d, prompt)
			if err != nil {
				return err
			}
			within, cancel := context.WithTimeout(background, time.Minute)
			defer cancel()
			client := r3labs.NewClient(url)
			client.Headers["Authorization"] = "Bearer " + d.Key
			run := told{}
			if err := client.SubscribeRawWithContext(within, func(event *r3labs.Event) {
				if run.take(event.Data) {
					cancel()
				}
			}); err != nil && !errors.Is(err, context.Canceled) {
				return err
			}
			return run.check()
		})
		try("tmaxmax/go-sse: "+prompt, func() error {
			url, err := begin(d, prompt)
			if err != nil {
				return err
			}
			within, cancel := context.WithTimeout(background, time.Minute)
			defer cancel()
			request, err := http.NewRequestWithContext(within, "GET", url, nil)
			if err != nil {
				return err
			}
			request.Header.Set("Authorization", "Bearer "+d.Key)
			run := told{}
			connection := tmaxmax.NewConnection(request)
			connection.SubscribeToAll(func(event tmaxmax.Event) {
				if run.take([]byte(event.Data)) {
					cancel()
				}
			})
			if err := connection.Connect(); err != nil && !errors.Is(err, context.Canceled) {
				return err
			}
			return run.check()
		})
	}
}

func askOpenAI(d door) {
	client := openai.NewClient(option.WithBaseURL(origin+"/v1/"), option.WithAPIKey(d.Key), option.WithMaxRetries(0))
	user := func(text string) []openai.ChatCompletionMessageParamUnion {
		return []openai.ChatCompletionMessageParamUnion{openai.UserMessage(text)}
	}
	tools := []openai.ChatCompletionToolUnionParam{openai.ChatCompletionFunctionTool(openai.FunctionDefinitionParam{
		Name: "get_weather",
		Parameters: openai.FunctionParameters{
			"type":       "object",
			"properties": map[string]any{"city": map[string]string{"type": "string"}},
		},
	})}

	try(d.Name+": a chat answers", func() error {
		answer, err := client.Chat.Completions.New(background, openai.ChatCompletionNewParams{Model: d.Model, Messages: user(d.saying())})
		if err != nil {
			return err
		}
		return equal(answer.Choices[0].Message.Content, words)
	})
	try(d.Name+": a call streams, with its usage", func() error {
		stream := client.Chat.Completions.NewStreaming(background, openai.ChatCompletionNewParams{
			Model:         d.Model,
			Messages:      user(d.calling()),
			Tools:         tools,
			StreamOptions: openai.ChatCompletionStreamOptionsParam{IncludeUsage: openai.Bool(true)},
		})
		all := openai.ChatCompletionAccumulator{}
		for stream.Next() {
			if !all.AddChunk(stream.Current()) {
				return errors.New("a chunk does not fit the ones before")
			}
		}
		if err := stream.Err(); err != nil {
			return err
		}
		if all.Usage.TotalTokens == 0 {
			return errors.New("no tokens")
		}
		call := all.Choices[0].Message.ToolCalls[0].Function
		return equal(call.Name+strings.ReplaceAll(call.Arguments, " ", ""), `get_weather{"city":"Paris"}`)
	})
	try(d.Name+": a response streams", func() error {
		stream := client.Responses.NewStreaming(background, responses.ResponseNewParams{
			Model: d.Model,
			Input: responses.ResponseNewParamsInputUnion{OfString: openai.String(d.saying())},
		})
		text, last := "", ""
		for stream.Next() {
			event := stream.Current()
			last = event.Type
			if last == "response.output_text.delta" {
				text += event.Delta
			}
		}
		if err := stream.Err(); err != nil {
			return err
		}
		return equal(text+last, words+"response.completed")
	})
	try(d.Name+": an error names its parameter", func() error {
		_, err := client.Chat.Completions.New(background, openai.ChatCompletionNewParams{Model: d.Model, Messages: user("x"), N: openai.Int(2)})
		var refused *openai.Error
		if !errors.As(err, &refused) {
			return fmt.Errorf("no error of its type: %v", err)
		}
		return equal(fmt.Sprint(refused.StatusCode, refused.Param), "400n")
	})
	try(d.Name+": a vector store finds its file", func() error {
		file, err := client.Files.New(background, openai.FileNewParams{
			File:    openai.File(strings.NewReader("Zebras are striped animals."), "zebra.txt", "text/plain"),
			Purpose: openai.FilePurposeAssistants,
		})
		if err != nil {
			return err
		}
		store, err := client.VectorStores.New(background, openai.VectorStoreNewParams{FileIDs: []string{file.ID}})
		if err != nil {
			return err
		}
		if _, err := client.VectorStores.Files.PollStatus(background, store.ID, file.ID, 200); err != nil {
			return err
		}
		query := openai.VectorStoreSearchParamsQueryUnion{OfString: openai.String("striped animals")}
		found, err := client.VectorStores.Search(background, store.ID, openai.VectorStoreSearchParams{Query: query})
		if err != nil {
			return err
		}
		return equal(found.Data[0].Filename, "zebra.txt")
	})
	try(d.Name+": a stream that is given up ends", func() error {
		within, cancel := context.WithCancel(background)
		stream := client.Chat.Completions.NewStreaming(within, openai.ChatCompletionNewParams{Model: d.Model, Messages: user(d.saying())})
		stream.Next()
		cancel()
		for stream.Next() {
		}
		if err := stream.Err(); err != nil && !errors.Is(err, context.Canceled) {
			return err
		}
		return nil
	})
}

func main() {
	sandbox, live := doorOf("sandbox"), doorOf("live")
	readStreams(sandbox)
	askOpenAI(sandbox)
	askOpenAI(live)
	fmt.Printf("%d passed, %d failed\n", passed, failed)
	if failed > 0 || passed == 0 {
		os.Exit(1)
	}
}
